"""The machine, mappings, pins and where()."""

import os
import re
import threading

import pytest

import kinjo

FOUR_NODES = "synthetic:pack:2 numa:2 core:2 pu:2"


def test_a_described_machine_has_what_its_description_says():
    machine = kinjo.topology(FOUR_NODES)
    assert repr(machine) == f"<kinjo.Topology {FOUR_NODES}: 2 packages, 4 nodes, 8 cores, 16 CPUs>"
    assert [p.package for p in machine.packages] == [0, 1]
    assert [n.node for n in machine.nodes] == [0, 1, 2, 3]
    assert machine.nodes[2].cpus == [8, 9, 10, 11]
    assert [c.node for c in machine.cpus] == [n for n in range(4) for _ in range(4)]
    assert machine.allowed_cpus == list(range(16))
    assert machine.distance(1, 1) in (10, None)
    assert repr(machine.nodes[0]) == "Node(node=0, cpus='0-3')"


def test_this_machine_is_discovered_once():
    machine = kinjo.topology()
    assert machine is kinjo.topology()
    assert set(machine.allowed_cpus) <= {c.cpu for c in machine.cpus}
    assert all(cache.size_bytes > 0 for cache in machine.caches)


@pytest.mark.parametrize(
    ("policy", "cpus"),
    [
        ("scatter", [0, 8, 4, 12]),
        ("compact", [0, 2, 1, 3]),
        ("compact-plus", [0, 2, 4, 6]),
        ("cpus:5,1,9,13", [5, 1, 9, 13]),
    ],
)
def test_a_mapping_deals_by_its_policy(policy, cpus):
    table = kinjo.mapping(policy, 4, topology=kinjo.topology(FOUR_NODES))
    assert [place.cpu for place in table] == cpus
    assert len(table) == 4
    assert table[-1] == table[3] != table[0]
    assert table.policy == policy
    with pytest.raises(IndexError):
        table[4]


def test_a_mapping_says_who_shares_a_node():
    table = kinjo.mapping("scatter", 8, topology=kinjo.topology(FOUR_NODES))
    assert table.nodes == [0, 2, 1, 3]
    assert table.threads_on(2) == [1, 5]
    assert (table[5].rank_in_node, table[5].node_threads) == (1, 2)


def test_without_arguments_the_environment_decides(monkeypatch):
    monkeypatch.setenv("KINJO_POLICY", "compact")
    monkeypatch.setenv("KINJO_THREADS", "1")
    assert (kinjo.mapping().policy, len(kinjo.mapping())) == ("compact", 1)
    assert kinjo.mapping("scatter").policy == "scatter"


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("KINJO_THREADS", "two", "KINJO_THREADS: 'two' is no number of threads: expected 1 or more"),
        (
            "KINJO_POLICY",
            "cpus:x",
            "KINJO_POLICY: ",
        ),
    ],
)
def test_a_variable_that_cannot_be_read_is_bad_input(monkeypatch, refusal, variable, value, message):
    monkeypatch.setenv(variable, value)
    assert refusal(kinjo.mapping).startswith(f"BadInputError: {message}")


@pytest.mark.parametrize(
    ("variables", "arguments", "message"),
    [
        ({"KINJO_THREADS": "9999"}, {}, "BadInputError: KINJO_THREADS does not fit this machine: 9999 threads exceed "),
        ({"KINJO_THREADS": "9999"}, {"policy": "scatter"}, "InvalidArgumentError: 9999 threads exceed .* \\(with KINJO_THREADS\\)$"),
        ({"KINJO_POLICY": "cpus:99999"}, {}, "BadInputError: KINJO_POLICY does not fit this machine: "),
        (
            {"KINJO_POLICY": "compact", "KINJO_THREADS": "3"}, {"topology": kinjo.topology("synthetic:pu:2")},
            "BadInputError: KINJO_POLICY and KINJO_THREADS do not fit synthetic:pu:2: 3 threads exceed ",
        ),
        ({"KINJO_THREADS": "9999"}, {"threads": 0}, "InvalidArgumentError: 0 threads: expected 1 or more$"),
    ],
)
def test_a_variable_that_does_not_fit_the_machine_is_named(monkeypatch, refusal, variables, arguments, message):
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    assert re.match(message, refusal(kinjo.mapping, **arguments))
    if not arguments:
        assert re.match(message, refusal(kinjo.Team))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scatter", 0), "0 threads: expected 1 or more"),
        (("scatter", -3), "-3 threads: expected 1 or more"),
        (
            ("scatter", 17),
            "17 threads exceed the 16 CPUs that policy scatter may use: expected 1 to 16, or ask "
            "to oversubscribe",
        ),
    ],
)
def test_a_number_of_threads_that_does_not_fit_is_refused(refusal, arguments, message):
    machine = kinjo.topology(FOUR_NODES)
    assert refusal(kinjo.mapping, *arguments, topology=machine) == f"InvalidArgumentError: {message}"
    assert kinjo.mapping("scatter", 17, topology=machine, oversubscribe=True).rounds == 2


def test_a_pin_holds_until_the_end_of_with():
    before = os.sched_getaffinity(0)
    table = kinjo.mapping("compact")
    with kinjo.pin(table, len(table) - 1) as me:
        assert me == table[-1]
        assert kinjo.where() == me
        assert os.sched_getaffinity(0) == {me.cpu}
    assert os.sched_getaffinity(0) == before
    assert kinjo.where().thread == -1


def test_a_place_a_policy_and_a_mapping_can_be_pinned_to():
    table = kinjo.mapping("scatter")
    for pin in (kinjo.pin(table[0]), kinjo.pin("scatter"), kinjo.pin(table, 0), kinjo.pin()):
        with pin as me:
            assert me.cpu == table[0].cpu


def test_a_pin_without_with_holds_until_it_is_undone():
    before = os.sched_getaffinity(0)
    pin = kinjo.pin("scatter", bind="cpu")
    assert len(os.sched_getaffinity(0)) == 1
    pin.undo()
    pin.undo()
    assert os.sched_getaffinity(0) == before


def test_a_pin_is_undone_by_an_exception():
    before = os.sched_getaffinity(0)
    with pytest.raises(KeyError), kinjo.pin():
        raise KeyError
    assert os.sched_getaffinity(0) == before


def test_a_pin_that_is_dropped_leaves_its_thread_pinned():
    seen = []

    def work():
        kinjo.pin("scatter")
        seen.append(len(os.sched_getaffinity(0)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [1]


def test_only_the_thread_that_made_a_pin_undoes_it(refusal):
    pin = kinjo.pin()
    messages = []
    thread = threading.Thread(target=lambda: messages.append(refusal(pin.undo)))
    thread.start()
    thread.join()
    pin.undo()
    assert messages == ["UsageError: a pin can only be undone by the thread that made it"]


def test_pins_that_cannot_be_made_are_refused(refusal):
    table = kinjo.mapping("cpus:%d" % kinjo.mapping()[0].cpu)
    invalid = "InvalidArgumentError: "
    assert refusal(kinjo.pin, table, 1) == invalid + "no thread 1 in a mapping of 1 threads"
    assert refusal(kinjo.pin, table, -1) == invalid + "thread -1: expected 0 or more"
    assert refusal(kinjo.pin, kinjo.where()) == (
        invalid + "this place is no row of a mapping: expected one of kinjo.mapping()"
    )
    assert refusal(kinjo.pin, table, bind="rack") == (
        invalid + "unknown binding 'rack': expected cpu, core or node"
    )


def test_where_names_the_cpu_of_a_thread_that_nobody_pinned():
    at = kinjo.where()
    assert at.thread == -1
    assert at.cpu in kinjo.topology().allowed_cpus
    assert at.node == next(c.node for c in kinjo.topology().cpus if c.cpu == at.cpu)


def test_a_place_is_compared_with_anything():
    place = kinjo.mapping("none", 1)[0]
    assert place == kinjo.mapping("none", 1)[0]
    assert place != None and place != 3 and place in [None, place]    # noqa: E711


def test_a_machine_is_read_from_a_path(refusal, tmp_path):
    assert refusal(kinjo.topology, tmp_path / "absent").startswith(
        f"NotFoundError: cannot read the machine '{tmp_path}/absent': No such file or directory")
    assert refusal(kinjo.topology, "a\0b").endswith("expected no null character in it")
