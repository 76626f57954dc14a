/// A library that loads and does nothing: preloaded in kinjo's place, it never answers.
int kinjo_test_idle(void);
int kinjo_test_idle(void) { return 0; }
