/* The library that the behaviour files in tests/lua/ffi load. */
#include "ffiprobe.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int8_t probe_int8(int8_t x) { return x; }
uint8_t probe_uint8(uint8_t x) { return x; }
int16_t probe_int16(int16_t x) { return x; }
uint16_t probe_uint16(uint16_t x) { return x; }
int32_t probe_int32(int32_t x) { return x; }
uint32_t probe_uint32(uint32_t x) { return x; }
int64_t probe_int64(int64_t x) { return x; }
uint64_t probe_uint64(uint64_t x) { return x; }
float probe_float(float x) { return x; }
double probe_double(double x) { return x; }
long double probe_long_double(long double x) { return x + 1; }
_Bool probe_bool(_Bool x) { return !x; }
void *probe_pointer(void *p) { return p; }
const char *probe_text(const char *s) { return s == NULL ? "none" : s; }
enum probe_color_name probe_next(enum probe_color_name c) { return c == PROBE_RED ? PROBE_GREEN : c == PROBE_GREEN ? PROBE_BLUE : PROBE_RED; }
int probe_counter = 3;
const int probe_constant = 42;
probe_point probe_origin = {1.5, 2.5};
int probe_table[4] = {10, 20, 30, 40};
const char *probe_message = "hello";
double _Complex probe_unit = 1.0i;
void probe_nothing(void) { ++probe_counter; }

/* Each argument has a weight of its own, so that none can take another's place. */
int64_t probe_sum_integers(int a, int b, int c, int d, int e, int f, int g, int h, int64_t i, int8_t j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
double probe_sum_doubles(double a, double b, double c, double d, double e, double f, double g, double h, double i, float j) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
double probe_sum_mixed(int a, double b, int64_t c, float d, uint8_t e, double f, int g, double h, int i, double j, int k, double l,
                       float m, double n, double o, double p, int q, int64_t r) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o +
         16 * p + 17 * q + 18 * r;
}
double probe_sum_variable(int count, const char *kinds, ...) {
  double sum = 0;
  va_list arguments;
  va_start(arguments, kinds);
  for (int i = 0; i < count; ++i) {
    if (kinds[i] == 'i') sum += va_arg(arguments, int);
    if (kinds[i] == 'l') sum += va_arg(arguments, long long);
    if (kinds[i] == 'd') sum += va_arg(arguments, double);
    if (kinds[i] == 's') sum += atoi(va_arg(arguments, const char *));
    if (kinds[i] == 'p') sum += va_arg(arguments, void *) == NULL ? 1 : 2;
    if (kinds[i] == 'P') {
      probe_point p = va_arg(arguments, probe_point);
      sum += p.x + p.y;
    }
  }
  va_end(arguments);
  return sum;
}
int probe_print(char *to, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(to, size, format, arguments);
  va_end(arguments);
  return length;
}

probe_point probe_scale(probe_point p, double by) { return (probe_point){p.x * by, p.y * by}; }
probe_mixed probe_mix(probe_mixed m, int a, float b) { return (probe_mixed){m.a + a, m.b + b}; }
probe_vector probe_cross(probe_vector a, probe_vector b) {
  return (probe_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
probe_big probe_shift(probe_big b, int64_t by) {
  for (int i = 0; i < 5; ++i) b.words[i] += by * (i + 1);
  return b;
}
probe_large probe_enlarge(probe_large l) { return (probe_large){l.c + 1, l.d * 2, {l.s[0] + 1, l.s[1] + 2, l.s[2] + 3}}; }
probe_double_integer probe_swap1(probe_integer_double v) { return (probe_double_integer){v.d, v.i}; }
probe_integer_double probe_swap2(probe_double_integer v) { return (probe_integer_double){v.i, v.d}; }
probe_union probe_flip(probe_union u) {
  probe_union r;
  for (int i = 0; i < 4; ++i) r.bytes[i] = u.bytes[3 - i];
  return r;
}
probe_bits probe_bump(probe_bits b) {
  b.a += 1;
  b.b -= 1;
  b.c += 1;
  b.d = !b.d;
  return b;
}
probe_color probe_invert(probe_color c) { return (probe_color){255 - c.r, 255 - c.g, 255 - c.b}; }
double probe_struct_sum(int a, probe_point p, double b, probe_big g, int c, probe_color k, probe_mixed m, probe_union u) {
  return a + 2 * p.x + 3 * p.y + 4 * b + 5 * g.words[0] + 6 * g.words[4] + 7 * c + 8 * k.r + 9 * k.b + 10 * m.a + 11 * m.b + 12 * u.i;
}
int64_t probe_late_struct(int a, int b, int c, int d, int e, probe_integer_double v, probe_double_integer w) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * v.i + 7 * (int64_t)v.d + 8 * (int64_t)w.d + 9 * w.i;
}

void probe_sort(int *first, size_t count, probe_compare compare) { qsort(first, count, sizeof(int), compare); }
double probe_apply(probe_map f, double x) { return f(x) + 1; }
int64_t probe_call_many(probe_many f) { return f(-1, 200, -300, 60000, -70000, 4000000000u, -5000000000, 1.5f, 2.25, "text"); }
int probe_call_twice(int (*f)(int), int x) { return f(f(x)); }
static int (*kept)(int);
void probe_keep(int (*f)(int)) { kept = f; }
int probe_call_kept(int x) { return kept(x); }
static double half(double x) { return x / 2; }
probe_map probe_half(void) { return half; }
int probe_list_sum(const probe_list *list) {
  int sum = 0;
  for (; list != NULL; list = list->next) sum += list->value;
  return sum;
}
int probe_set_errno(int value) {
  errno = value;
  return -1;
}
int probe_get_errno(void) { return errno; }
int probe_real_name(int x) { return x + 1000; }

double _Complex probe_conjugate(double _Complex z) { return ~z; }
float _Complex probe_turn(int n, float _Complex z, double by) { return z * (n + (float)by * 1.0if); }
double probe_real(long double _Complex z) { return (double)__real__ z; }
probe_signal probe_double_signal(probe_signal s, float _Complex by) {
  s.z += by;
  s.n *= 2;
  return s;
}
double _Complex probe_sum_complex(int count, ...) {
  double _Complex sum = 0;
  va_list arguments;
  va_start(arguments, count);
  for (int i = 0; i < count; ++i) sum += va_arg(arguments, double _Complex);
  va_end(arguments);
  return sum;
}
probe_packed probe_pack(char c, probe_packed p, int i) {
  p.c = (char)(p.c + c);
  p.d += i;
  return p;
}
probe_small_packed probe_pack_small(double d, probe_small_packed p, int i) {
  p.c = (char)(p.c + (int)d);
  p.i += i;
  return p;
}
probe_wide probe_widen(int i, probe_wide w, double d) {
  w.value += i + d;
  return w;
}
probe_wide_union probe_widen_union(int i, probe_wide_union w, double d) {
  w.value += i + d;
  return w;
}
probe_pair probe_add_pairs(probe_pair a, double scale, probe_pair b) { return a + b * (float)scale; }
probe_quad probe_negate(probe_quad q) { return -q; }
