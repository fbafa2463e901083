/* What cost.lua calls by the library ffi. */
#define PUBLIC __attribute__((visibility("default")))

typedef struct { double x, y; } point;

PUBLIC void bench_nothing(void) {}
PUBLIC int bench_add(int a, int b) { return a + b; }
PUBLIC double bench_scale(double a, double b) { return a * b; }
PUBLIC double bench_many(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j) {
  return a + b + c + d + e + f + g + h + i + j;
}
PUBLIC int bench_length(const char *text) { return text[0]; }
PUBLIC int bench_first(const int *values) { return values[0]; }
PUBLIC point bench_move(point p, double by) { return (point){p.x + by, p.y}; }
PUBLIC int bench_call(int (*f)(int), int x) { return f(x); }
