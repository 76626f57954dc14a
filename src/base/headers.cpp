/// Stands for all libraries where their common headers are compiled.
