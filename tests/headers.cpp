/// Stands for all tests where their common headers are compiled.
