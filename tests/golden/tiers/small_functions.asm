asm <small_functions.lua:2> (3 instructions)
L1:
  push rbx
; 0 [2] Add r2 r0 r1
  cmp dword ptr [rbx+0x8], 0x3
  jnz L2
  cmp dword ptr [rbx+0x18], 0x3
  jnz L2
  mov rax, [rbx]
  add rax, [rbx+0x10]
  mov [rbx+0x20], rax
  mov qword ptr [rbx+0x28], 0x3
  jmp L5
L2:
  cmp dword ptr [rbx+0x8], 0x4
  jnz L9
  movsd xmm0, qword ptr [rbx]
L3:
  cmp dword ptr [rbx+0x18], 0x4
  jnz L10
  movsd xmm1, qword ptr [rbx+0x10]
L4:
  addsd xmm0, xmm1
  movsd [rbx+0x20], xmm0
  mov qword ptr [rbx+0x28], 0x4
; 1 [2] Return1 r2
L5:
  cmp dword ptr [rbx-0x4], 0x1
  jnbe L12
L6:
  mov rax, [rbx+0x20]
  mov rdx, [rbx+0x28]
  mov [rbx-0x30], rax
  mov [rbx-0x28], rdx
  xor eax, eax
  add rsp, 0x8
  ret
; 2 [2] Return0
  cmp dword ptr [rbx-0x4], 0x0
  jnbe L14
L7:
  xor eax, eax
  add rsp, 0x8
  ret
  ud2
; slow paths
  mov qword ptr [rbx], 0x0
  mov qword ptr [rbx+0x8], 0x0
  mov qword ptr [rbx+0x10], 0x0
  mov qword ptr [rbx+0x18], 0x0
  jmp L1
  cmp ecx, 0x2
  jnb L1
  mov qword ptr [rbx+0x10], 0x0
  mov qword ptr [rbx+0x18], 0x0
  cmp ecx, 0x1
  jnb L1
  mov qword ptr [rbx], 0x0
  mov qword ptr [rbx+0x8], 0x0
  jmp L1
L8:
  mov rdx, code[1]
  mov rax, arithmetic_or_metamethod
  call value_or_metamethod
  jmp L5
L9:
  cmp dword ptr [rbx+0x8], 0x3
  jnz L8
  xorps xmm0, xmm0
  cvtsi2sd xmm0, [rbx]
  jmp L3
L10:
  cmp dword ptr [rbx+0x18], 0x3
  jnz L8
  xorps xmm1, xmm1
  cvtsi2sd xmm1, [rbx+0x10]
  jmp L4
L11:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[2]
  call runtime_return
  jmp L15
L12:
  cmp dword ptr [rbx-0x4], 0x3ff
  jnz L11
  lea rax, [rbx-0x20]
  mov [thread], rax
  jmp L6
L13:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[3]
  call runtime_return
  jmp L15
L14:
  cmp dword ptr [rbx-0x4], 0x3ff
  jnz L13
  lea rax, [rbx-0x30]
  mov [thread], rax
  jmp L7
  test eax, eax
  js L15
  jmp leave_to_interpreter
L15:
  add rsp, 0x8
  ret
  int3
  int3

asm <small_functions.lua:3> (3 instructions)
L1:
  push rbx
; 0 [3] GetField r1 r0 k0 ic0
  mov r8, cache[0]
  cmp dword ptr [rbx+0x8], 0x9
  jnz L7
  mov rcx, [rbx]
  mov rdx, [rcx+0x8]
  cmp rdx, [r8]
  jnz L8
  cmp byte ptr [r8+0x20], 0x1
  jnz L7
L2:
  mov eax, [r8+0x18]
  shl rax, 0x4
  add rax, [rcx+0x10]
  mov rsi, [rax]
  mov rdi, [rax+0x8]
  test edi, edi
  jz L9
L3:
  mov [rbx+0x10], rsi
  mov [rbx+0x18], rdi
; 1 [3] Return1 r1
L4:
  cmp dword ptr [rbx-0x4], 0x1
  jnbe L11
L5:
  mov rax, [rbx+0x10]
  mov rdx, [rbx+0x18]
  mov [rbx-0x30], rax
  mov [rbx-0x28], rdx
  xor eax, eax
  add rsp, 0x8
  ret
; 2 [3] Return0
  cmp dword ptr [rbx-0x4], 0x0
  jnbe L13
L6:
  xor eax, eax
  add rsp, 0x8
  ret
  ud2
; slow paths
  mov qword ptr [rbx], 0x0
  mov qword ptr [rbx+0x8], 0x0
  jmp L1
  cmp ecx, 0x1
  jnb L1
  mov qword ptr [rbx], 0x0
  mov qword ptr [rbx+0x8], 0x0
  jmp L1
L7:
  mov rdx, code[1]
  call get_field
  jmp L4
L8:
  mov r10, second cache[0]
  cmp rdx, [r10]
  jnz L7
  cmp byte ptr [r10+0x20], 0x1
  jnz L7
  mov r8, r10
  jmp L2
L9:
  cmp qword ptr [rcx+0x38], 0x0
  jz L3
  mov rdx, [rdx+0x18]
  mov edx, [rdx+0x30]
  cmp edx, [r8+0x1c]
  jnz L7
  jmp L3
L10:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[2]
  call runtime_return
  jmp L14
L11:
  cmp dword ptr [rbx-0x4], 0x3ff
  jnz L10
  lea rax, [rbx-0x20]
  mov [thread], rax
  jmp L5
L12:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[3]
  call runtime_return
  jmp L14
L13:
  cmp dword ptr [rbx-0x4], 0x3ff
  jnz L12
  lea rax, [rbx-0x30]
  mov [thread], rax
  jmp L6
  test eax, eax
  js L14
  jmp leave_to_interpreter
L14:
  add rsp, 0x8
  ret
  int3
  int3
  int3
  int3

asm <small_functions.lua:4> (4 instructions)
L1:
  push rbx
; 0 [4] JumpIfNotEqualConstant r0 k0 -> 3
  mov eax, [rbx+0x8]
  cmp eax, 0xc
  jz L6
  cmp eax, 0x0
  jnz L4
; 1 [4] LoadInteger r1 1
L2:
  mov qword ptr [rbx+0x10], 0x1
  mov qword ptr [rbx+0x18], 0x3
; 2 [4] Return1 r1
  cmp dword ptr [rbx-0x4], 0x1
  jnbe L8
L3:
  mov rax, [rbx+0x10]
  mov rdx, [rbx+0x18]
  mov [rbx-0x30], rax
  mov [rbx-0x28], rdx
  xor eax, eax
  add rsp, 0x8
  ret
; 3 [4] Return0
L4:
  cmp dword ptr [rbx-0x4], 0x0
  jnbe L10
L5:
  xor eax, eax
  add rsp, 0x8
  ret
  ud2
; slow paths
  mov qword ptr [rbx], 0x0
  mov qword ptr [rbx+0x8], 0x0
  jmp L1
  cmp ecx, 0x1
  jnb L1
  mov qword ptr [rbx], 0x0
  mov qword ptr [rbx+0x8], 0x0
  jmp L1
L6:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[1]
  call runtime_compare
  cmp eax, 0x1
  jz L4
  jnbe L11
  jmp L2
L7:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[3]
  call runtime_return
  jmp L12
L8:
  cmp dword ptr [rbx-0x4], 0x3ff
  jnz L7
  lea rax, [rbx-0x20]
  mov [thread], rax
  jmp L3
L9:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[4]
  call runtime_return
  jmp L12
L10:
  cmp dword ptr [rbx-0x4], 0x3ff
  jnz L9
  lea rax, [rbx-0x30]
  mov [thread], rax
  jmp L5
L11:
  test eax, eax
  js L12
  jmp leave_to_interpreter
L12:
  add rsp, 0x8
  ret
  int3
  int3
  int3
  int3
  int3
  int3
  int3

asm <small_functions.lua:5> (6 instructions)
L1:
  push rbx
  sub dword ptr [machine], 0x1
  js L8
; 0 [5] LoadInteger r1 1
L2:
  mov qword ptr [rbx+0x10], 0x1
  mov qword ptr [rbx+0x18], 0x3
; 1 [5] Move r2 r0
  mov rax, [rbx]
  mov rdx, [rbx+0x8]
  mov [rbx+0x20], rax
  mov [rbx+0x28], rdx
; 2 [5] LoadInteger r3 1
  mov qword ptr [rbx+0x30], 0x1
  mov qword ptr [rbx+0x38], 0x3
; 3 [5] ForPrepare r1 -> 5
  cmp dword ptr [rbx+0x28], 0x3
  jnz L10
  mov rcx, [rbx+0x20]
L3:
  mov rax, [rbx+0x10]
  mov [rbx+0x40], rax
  mov qword ptr [rbx+0x48], 0x3
  cmp rcx, rax
  jl L6
  sub rcx, rax
  mov rax, rcx
  mov [rbx+0x20], rax
; 4 [5] ForLoop r1 -> 4
L4:
  mov rcx, [rbx+0x20]
  sub rcx, 0x1
  jb L6
  mov rax, [rbx+0x10]
  add rax, [rbx+0x30]
  mov [rbx+0x20], rcx
  mov [rbx+0x10], rax
  mov [rbx+0x40], rax
  sub dword ptr [machine], 0x1
  js L11
  cmp qword ptr [0x10000000], 0x0
  jnz L12
L5:
  jmp L4
; 5 [5] Return0
L6:
  cmp dword ptr [rbx-0x4], 0x0
  jnbe L19
L7:
  xor eax, eax
  add rsp, 0x8
  ret
  ud2
; slow paths
  mov qword ptr [rbx], 0x0
  mov qword ptr [rbx+0x8], 0x0
  jmp L1
  cmp ecx, 0x1
  jnb L1
  mov qword ptr [rbx], 0x0
  mov qword ptr [rbx+0x8], 0x0
  jmp L1
L8:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[0]
  call runtime_poll_call
  test eax, eax
  jnz L20
  jmp L2
L9:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[4]
  call runtime_step
  cmp eax, 0x1
  jz L6
  jnbe L20
  jmp L4
L10:
  cmp dword ptr [rbx+0x28], 0x4
  jnz L9
  roundsd xmm0, [rbx+0x20], 0x9
  cvttsd2si rcx, xmm0
  cmp rcx, 0x1
  jo L9
  mov qword ptr [rbx+0x28], 0x3
  jmp L3
L11:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[5]
  call runtime_poll
  test eax, eax
  jnz L20
  jmp L4
L12:
  cmp rsp, [thread]
  jb L5
  mov rcx, [0x10000008]
  mov rdi, r12
  mov rsi, rbx
  mov rdx, r13
  push rcx
  push rcx
  call [0x10000000]
  pop rcx
  pop rcx
  test rax, rax
  js L15
  mov rdx, [rcx+0xe0]
  movsxd rdx, dword ptr [rdx+rax*4]
  test rdx, rdx
  js L13
  mov r8, [rcx+0xd8]
  inc [r8+rax*8]
  jmp L14
L13:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, rax
  call complete_exit
  mov rdx, rax
  test rdx, rdx
  js L16
L14:
  mov rcx, [0x10000010]
  mov ecx, [rcx+rdx*4]
  add rcx, [0x10000018]
  jmp rcx
L15:
  mov rdx, rax
L16:
  mov rax, -0x1
  cmp rdx, -0x1
  jz L17
  mov eax, 0x2
L17:
  jmp L20
L18:
  mov rdi, r12
  mov rsi, rbx
  mov rdx, code[6]
  call runtime_return
  jmp L21
L19:
  cmp dword ptr [rbx-0x4], 0x3ff
  jnz L18
  lea rax, [rbx-0x30]
  mov [thread], rax
  jmp L7
L20:
  test eax, eax
  js L21
  jmp leave_to_interpreter
L21:
  add rsp, 0x8
  ret
  int3
  int3
  int3
  int3
  int3
