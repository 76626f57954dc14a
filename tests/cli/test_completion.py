"""Completion of command lines in bash, zsh and fish, as the shells themselves do it."""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from kinjo_program import KINJO, FolderTest, KinjoTest, clean_environment  # noqa: E402

COMMANDS = ["topo", "map", "stream", "run", "measure", "tune", "where", "completion", "man"]
# A line that ends at the cursor, what must be offered, what must not.
CASES = [
    ("kinjo ", COMMANDS, ["--policy"]),
    ("kinjo ma", ["map", "man"], ["topo"]),
    ("kinjo map --po", ["--policy"], ["--threads"]),
    ("kinjo map --policy comp", ["compact", "compact-plus"], ["scatter"]),
    ("kinjo map --format O", ["OMP_PLACES"], ["taskset"]),
    ("kinjo stream --policy al", ["all"], ["scatter"]),
    ("kinjo stream --stores ", ["automatic", "cached", "streaming"], ["normal"]),
    ("kinjo run --openmp ", ["auto", "yes", "no"], ["map"]),
    ("kinjo measure c", ["clock", "caches"], ["nodes"]),
    ("kinjo completion ", ["bash", "zsh", "fish"], []),
    ("kinjo run --policy compact -- unam", ["uname"], ["--policy"]),
]

BASH = r"""
source "$1"
read -ra COMP_WORDS <<< "$2"
[[ $2 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_kinjo
printf '%s\n' "${COMPREPLY[@]}"
"""

# zsh completes in a terminal of its own, where what it adds to the list is printed: <map>.
ZSH = r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1= PS2=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; stty -echo"
zpty -w z 'compadd() { local -a hits; builtin compadd -O hits "$@"; print -rl -- "<"${^hits}">" }'
zpty -w z 'shown() { _main_complete; print E""ND }; bindkey "^I" show; zle -C show complete-word shown'
zpty -w z 'print REA""DY'
zpty -r z line '*READY*'
zpty -w -n z "$2"$'\t'
zpty -r z line '*END*'
print -r -- "$line"
zpty -d z
"""


def needs(shell):
    return unittest.skipUnless(shutil.which(shell), f"{shell} is not installed")


class Completion(FolderTest):
    def script(self, shell, name):
        """What kinjo prints for a shell, as a file."""
        path = self.path(name)
        self.output("completion", shell, "-o", path)
        return path

    def ran(self, *words):
        result = subprocess.run(words, text=True, capture_output=True, timeout=60,
                                env=clean_environment(PATH=f"{pathlib.Path(KINJO).parent}:/usr/bin:/bin",
                                                      HOME=str(self.folder), TERM="dumb"))
        self.assertEqual((result.returncode, result.stderr), (0, ""), words)
        return result.stdout

    def assert_offers(self, complete):
        for line, wanted, unwanted in CASES:
            with self.subTest(line):
                offered = complete(line)
                self.assertLessEqual(set(wanted), set(offered))
                self.assertFalse(set(unwanted) & set(offered))

    @needs("bash")
    def test_bash_offers_what_fits(self):
        path = self.script("bash", "kinjo.bash")
        self.assert_offers(lambda line: self.ran("bash", "-c", BASH, "bash", path, line).split())

    @needs("bash")
    def test_bash_completes_behind_an_equals_sign(self):
        path = self.script("bash", "kinjo.bash")
        # bash itself makes three words of it.
        offered = self.ran("bash", "-c", BASH, "bash", path, "kinjo map --policy = comp").split()
        self.assertEqual(offered, ["compact", "compact-plus"])

    @needs("fish")
    def test_fish_offers_what_fits(self):
        path = self.script("fish", "kinjo.fish")

        def complete(line):
            printed = self.ran("fish", "--no-config", "-c",
                               "source $argv[1]; complete -C $argv[2]", path, line)
            return [row.split("\t")[0] for row in printed.splitlines()]

        self.assert_offers(complete)

    @needs("zsh")
    def test_zsh_offers_what_fits(self):
        self.script("zsh", "_kinjo")

        def complete(line):
            printed = self.ran("zsh", "-f", "-c", ZSH, "zsh", str(self.folder), line)
            return re.findall(r"<([^>]*)>", printed)

        self.assert_offers(complete)


class Refusals(KinjoTest):
    def test_unknown_shells_are_refused(self):
        self.assertEqual(self.refusal("completion", "tcsh"),
                         "unknown shell 'tcsh': expected bash, zsh or fish")


if __name__ == "__main__":
    unittest.main(verbosity=2)
