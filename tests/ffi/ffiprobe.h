/* What the library for the tests of `ffi` has. Behaviour files read the part between the markers as declarations, so that a C compiler
   and the parser of the library see the same text. */
#ifndef FFIPROBE_H
#define FFIPROBE_H
#include <stddef.h>
#include <stdint.h>
/* begin */
typedef struct {
  double x, y;
} probe_point;
typedef struct {
  int32_t a;
  float b;
} probe_mixed;
typedef struct {
  float x, y, z;
} probe_vector;
typedef struct {
  int64_t words[5];
} probe_big;
typedef struct {
  char c;
  double d;
  int16_t s[3];
} probe_large;
typedef struct {
  double d;
  int64_t i;
} probe_double_integer;
typedef struct {
  int64_t i;
  double d;
} probe_integer_double;
typedef union {
  int32_t i;
  float f;
  uint8_t bytes[4];
} probe_union;
typedef struct {
  unsigned a : 3;
  int b : 5;
  unsigned long long c : 40;
  _Bool d : 1;
} probe_bits;
typedef struct {
  probe_point at;
  probe_union u;
  const char* name;
} probe_nested;
typedef struct {
  uint8_t r, g, b;
} probe_color;
typedef struct {
  char c;
  double d;
} __attribute__((packed)) probe_packed;
typedef struct {
  char c;
  int32_t i;
} __attribute__((packed)) probe_small_packed;
typedef struct {
  long double value;
} probe_wide;
typedef union {
  long double value;
  int64_t words[2];
} probe_wide_union;
typedef struct {
  float _Complex z;
  int32_t n;
} probe_signal;
typedef float probe_pair __attribute__((vector_size(8)));
typedef float probe_quad __attribute__((vector_size(16)));
enum probe_color_name {
  PROBE_RED,
  PROBE_GREEN = 5,
  PROBE_BLUE
};
typedef int (*probe_compare)(const void*, const void*);
typedef double (*probe_map)(double);
typedef int64_t (*probe_many)(int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, float, double, const char*);
typedef struct probe_list {
  int value;
  struct probe_list* next;
} probe_list;

int8_t probe_int8(int8_t);
uint8_t probe_uint8(uint8_t);
int16_t probe_int16(int16_t);
uint16_t probe_uint16(uint16_t);
int32_t probe_int32(int32_t);
uint32_t probe_uint32(uint32_t);
int64_t probe_int64(int64_t);
uint64_t probe_uint64(uint64_t);
float probe_float(float);
double probe_double(double);
long double probe_long_double(long double);
_Bool probe_bool(_Bool);
void* probe_pointer(void*);
const char* probe_text(const char*);
enum probe_color_name probe_next(enum probe_color_name);
void probe_nothing(void);
int64_t probe_sum_integers(int a, int b, int c, int d, int e, int f, int g, int h, int64_t i, int8_t j);
double probe_sum_doubles(double a, double b, double c, double d, double e, double f, double g, double h, double i, float j);
double probe_sum_mixed(int a, double b, int64_t c, float d, uint8_t e, double f, int g, double h, int i, double j, int k, double l,
                       float m, double n, double o, double p, int q, int64_t r);
double probe_sum_variable(int count, const char* kinds, ...);
int probe_print(char* to, size_t size, const char* format, ...);

probe_point probe_scale(probe_point p, double by);
probe_mixed probe_mix(probe_mixed m, int a, float b);
probe_vector probe_cross(probe_vector a, probe_vector b);
probe_big probe_shift(probe_big b, int64_t by);
probe_large probe_enlarge(probe_large l);
probe_double_integer probe_swap1(probe_integer_double v);
probe_integer_double probe_swap2(probe_double_integer v);
probe_union probe_flip(probe_union u);
probe_bits probe_bump(probe_bits b);
probe_color probe_invert(probe_color c);
double probe_struct_sum(int a, probe_point p, double b, probe_big g, int c, probe_color k, probe_mixed m, probe_union u);
double _Complex probe_conjugate(double _Complex z);
float _Complex probe_turn(int n, float _Complex z, double by);
double probe_real(long double _Complex z);
probe_signal probe_double_signal(probe_signal s, float _Complex by);
double _Complex probe_sum_complex(int count, ...);
probe_packed probe_pack(char c, probe_packed p, int i);
probe_small_packed probe_pack_small(double d, probe_small_packed p, int i);
probe_wide probe_widen(int i, probe_wide w, double d);
probe_wide_union probe_widen_union(int i, probe_wide_union w, double d);
probe_pair probe_add_pairs(probe_pair a, double scale, probe_pair b);
probe_quad probe_negate(probe_quad q);
extern double _Complex probe_unit;
int64_t probe_late_struct(int a, int b, int c, int d, int e, probe_integer_double v, probe_double_integer w);

void probe_sort(int* first, size_t count, probe_compare compare);
double probe_apply(probe_map f, double x);
int64_t probe_call_many(probe_many f);
int probe_call_twice(int (*f)(int), int x);
void probe_keep(int (*f)(int));
int probe_call_kept(int x);
probe_map probe_half(void);
int probe_list_sum(const probe_list* list);
int probe_set_errno(int value);
int probe_get_errno(void);
int probe_renamed(int) __asm__("probe_real_name");
extern int probe_counter;
extern const int probe_constant;
extern probe_point probe_origin;
extern int probe_table[4];
extern const char* probe_message;
/* end */
#endif
