# %% [markdown]
# # The nearest correlation matrix
#
# Correlations that were estimated pair by pair, from different samples, may contradict each other: there is
# no one set of variables that has them, since the matrix is not positive semidefinite. Which valid matrix is
# nearest? `kinjo.sdp` finds it, in the norm of the sum of absolute changes.
#
# Run it as a script, or cell by cell in any editor that knows `# %%`.

# %%
import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinjo import sdp

parser = argparse.ArgumentParser(description="The nearest correlation matrix.")
parser.add_argument("--variables", type=int, default=12)
parser.add_argument("--workers", type=int, default=1)
options = parser.parse_args()

# %% [markdown]
# ## Correlations that contradict each other

# %%
n = options.variables
chance = np.random.default_rng(1)
factors = chance.standard_normal((n, 3))
true = factors @ factors.T + 0.1 * np.eye(n)
scale = np.sqrt(np.diag(true))
estimated = true / np.outer(scale, scale)
noise = np.triu(chance.normal(0, 0.2, (n, n)), 1)
estimated = np.clip(estimated + noise + noise.T, -1, 1)
np.fill_diagonal(estimated, 1)
print(f"least eigenvalue of the estimates {np.linalg.eigvalsh(estimated)[0]:.3f}")

# %% [markdown]
# ## As a semidefinite program
#
# X is the matrix, and for each pair i < j the change X_ij - estimated_ij is up - down, two numbers that are not
# negative and of which the sum is minimised. Blocks: X, and a diagonal one of all numbers up and down.

# %%
pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
Block = NDArray[Any] | None


def unit(i: int, j: int) -> NDArray[Any]:
    """The matrix E of which E • X is X_ij."""
    matrix = np.zeros((n, n))
    matrix[i, j] = matrix[j, i] = 1 if i == j else 0.5
    return matrix


A: list[list[Block]] = [[unit(i, i), None] for i in range(n)]
b = [1.0] * n
for k, (i, j) in enumerate(pairs):
    changes = np.zeros(2 * len(pairs))
    changes[2 * k], changes[2 * k + 1] = -1, 1          # - up + down
    A.append([unit(i, j), changes])
    b.append(estimated[i, j])
C = [np.zeros((n, n)), np.ones(2 * len(pairs))]

result = sdp.solve(C, A, b, workers=options.workers)
nearest = result.X[0]
print(f"{result.status} after {result.iterations} iterations")
print(f"sum of changes {result.primal_objective:.4f}")
print(f"least eigenvalue {abs(np.linalg.eigvalsh(nearest)[0]):.3f}")
print(f"largest change {np.abs(nearest - estimated).max():.3f}")
