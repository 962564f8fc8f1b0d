#include "textflag.h"
#include "go_asm.h"

// func hasAVX2() bool
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	XORL CX, CX
	CPUID
	CMPL AX, $7
	JLT  without
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $(1<<27 | 1<<28), CX // OSXSAVE, AVX
	CMPL CX, $(1<<27 | 1<<28)
	JNE  without
	XORL CX, CX
	XGETBV
	ANDL $6, AX // the system keeps XMM and YMM
	CMPL AX, $6
	JNE  without
	MOVL $7, AX
	XORL CX, CX
	CPUID
	SHRL $5, BX // AVX2
	ANDL $1, BX
	MOVB BX, ret+0(FP)
without:
	RET

// LOADRAY puts what tests of boxes need of the ray into registers.
#define LOADRAY \
	VBROADCASTSS (wideRay_near+0)(DI), Y4  \
	VBROADCASTSS (wideRay_near+4)(DI), Y5  \
	VBROADCASTSS (wideRay_near+8)(DI), Y6  \
	VBROADCASTSS (wideRay_slow+0)(DI), Y7  \
	VBROADCASTSS (wideRay_slow+4)(DI), Y8  \
	VBROADCASTSS (wideRay_slow+8)(DI), Y9  \
	VBROADCASTSS (wideRay_far+0)(DI), Y10  \
	VBROADCASTSS (wideRay_far+4)(DI), Y11  \
	VBROADCASTSS (wideRay_far+8)(DI), Y12  \
	VBROADCASTSS (wideRay_fast+0)(DI), Y13 \
	VBROADCASTSS (wideRay_fast+4)(DI), Y14 \
	VBROADCASTSS (wideRay_fast+8)(DI), Y15 \
	VBROADCASTSS wideRay_bound(DI), Y3

// SLAB is where the ray crosses planes: t = (plane - o) * inv.
#define SLAB(offset, o, inv, t) \
	VMOVUPS (AX)(offset*1), t \
	VSUBPS  o, t, t           \
	VMULPS  inv, t, t

// CORNER is a corner of four triangles as the ray sees it. AX: the block; Y9 and Y10: sx and sy; Y11: sz;
// Y12 to Y14: the origin.
#define CORNER(k, x, y, z) \
	VMOVUPD (32*k)(AX)(R11*1), z \
	VSUBPD  Y14, z, z            \
	VMOVUPD (32*k)(AX)(R9*1), x  \
	VSUBPD  Y12, x, x            \
	VMULPD  z, Y9, Y15           \
	VSUBPD  Y15, x, x            \
	VMOVUPD (32*k)(AX)(R10*1), y \
	VSUBPD  Y13, y, y            \
	VMULPD  z, Y10, Y15          \
	VSUBPD  Y15, y, y            \
	VMULPD  z, Y11, z

// func castAVX2(nodes *wideNode, blocks *block, r *wideRay)
//
// SI: nodes, DX: blocks, DI: the ray, R8: the top of the stack, CX: where the ray is.
// Frame: 32 bytes of scratch, then the stack.
TEXT ·castAVX2(SB), 0, $2112-24
	MOVQ nodes+0(FP), SI
	MOVQ blocks+8(FP), DX
	MOVQ r+16(FP), DI
	LEAQ stack-2080(SP), R8
	LEAQ stack-2080(SP), R15
	XORL CX, CX

load:
	LOADRAY
	MOVQ (wideRay_side+0)(DI), R9
	MOVQ (wideRay_side+8)(DI), R10
	MOVQ (wideRay_side+16)(DI), R11

node:
	SHLQ   $8, CX
	LEAQ   (SI)(CX*1), AX
	SLAB(R9, Y4, Y7, Y0)
	SLAB(R10, Y5, Y8, Y1)
	SLAB(R11, Y6, Y9, Y2)
	VMAXPS Y1, Y0, Y0
	XORQ   $32, R9
	XORQ   $32, R10
	XORQ   $32, R11
	VXORPS Y1, Y1, Y1
	VMAXPS Y1, Y2, Y2
	VMAXPS Y0, Y2, Y0
	SLAB(R9, Y10, Y13, Y1)
	SLAB(R10, Y11, Y14, Y2)
	VMINPS Y3, Y1, Y1
	VMINPS Y2, Y1, Y1
	SLAB(R11, Y12, Y15, Y2)
	VMINPS Y2, Y1, Y1
	VCMPPS $2, Y1, Y0, Y1
	XORQ   $32, R9
	XORQ   $32, R10
	XORQ   $32, R11
	VMOVMSKPS Y1, BX
	TESTL  BX, BX
	JZ     pop
	BSFL   BX, R12
	LEAL   -1(BX), R13
	MOVL   wideNode_child(AX)(R12*4), CX
	ANDL   R13, BX
	JNZ    several
	TESTL  CX, CX
	JS     leaf
	JMP    node

several:
	VMOVUPS Y0, scratch-2112(SP)
	MOVL scratch-2112(SP)(R12*4), R13
	SHLQ $32, R13
	ORQ  R13, CX // the key of the first
	BSFL BX, R12
	LEAL -1(BX), R13
	ANDL R13, BX
	MOVL wideNode_child(AX)(R12*4), R14
	MOVL scratch-2112(SP)(R12*4), R13
	SHLQ $32, R13
	ORQ  R14, R13 // of the second
	// The larger below the smaller.
	MOVQ R13, R14
	CMPQ CX, R13
	CMOVQHI CX, R14
	CMOVQHI R13, CX
	MOVQ R14, (R8)
	TESTL BX, BX
	JNZ  many
	ADDQ $8, R8
	MOVL CX, CX
	TESTL CX, CX
	JS   leaf
	JMP  node

many:
	MOVQ CX, 8(R8)
	MOVQ R8, CX   // where the children begin
	ADDQ $16, R8

next:
	BSFL BX, R12
	LEAL -1(BX), R13
	ANDL R13, BX
	MOVL wideNode_child(AX)(R12*4), R14
	MOVL scratch-2112(SP)(R12*4), R13
	SHLQ $32, R13
	ORQ  R14, R13
	MOVQ R8, R12

shift:
	MOVQ -8(R12), R14
	CMPQ R14, R13
	JHI  placed
	MOVQ R14, (R12)
	SUBQ $8, R12
	CMPQ R12, CX
	JHI  shift

placed:
	MOVQ R13, (R12)
	ADDQ $8, R8
	TESTL BX, BX
	JNZ  next
	SUBQ $8, R8
	MOVL (R8), CX
	TESTL CX, CX
	JS   leaf
	JMP  node

pop:
	CMPQ R8, R15
	JEQ  done
	SUBQ $8, R8
	MOVL 4(R8), R13
	CMPL R13, wideRay_bound(DI)
	JHI  pop
	MOVL (R8), CX
	TESTL CX, CX
	JS   leaf
	JMP  node

leaf:
	ANDL $0x7fffffff, CX
	IMUL3Q $block__size, CX, CX
	LEAQ (DX)(CX*1), AX
	MOVQ (wideRay_axis+0)(DI), R9
	MOVQ (wideRay_axis+8)(DI), R10
	MOVQ (wideRay_axis+16)(DI), R11
	VBROADCASTSD (wideRay_origin+0)(DI), Y12
	VBROADCASTSD (wideRay_origin+8)(DI), Y13
	VBROADCASTSD (wideRay_origin+16)(DI), Y14
	VBROADCASTSD wideRay_sx(DI), Y9
	VBROADCASTSD wideRay_sy(DI), Y10
	VBROADCASTSD wideRay_sz(DI), Y11
	CORNER(0, Y0, Y1, Y2)
	CORNER(1, Y3, Y4, Y5)
	CORNER(2, Y6, Y7, Y8)

	// u in Y9, v in Y10, w in Y11
	VMULPD Y4, Y6, Y9
	VMULPD Y3, Y7, Y12
	VSUBPD Y12, Y9, Y9
	VMULPD Y7, Y0, Y10
	VMULPD Y6, Y1, Y13
	VSUBPD Y13, Y10, Y10
	VMULPD Y1, Y3, Y11
	VMULPD Y0, Y4, Y14
	VSUBPD Y14, Y11, Y11

	// Y12: some are below zero and some above
	VMINPD Y10, Y9, Y12
	VMINPD Y11, Y12, Y12
	VMAXPD Y10, Y9, Y13
	VMAXPD Y11, Y13, Y13
	VXORPD Y14, Y14, Y14
	VCMPPD $1, Y14, Y12, Y12
	VCMPPD $1, Y13, Y14, Y13
	VANDPD Y12, Y13, Y12
	VMOVMSKPD Y12, BX
	CMPL BX, $15
	JEQ  popleaf

	// t in Y15
	VADDPD Y10, Y9, Y13
	VADDPD Y11, Y13, Y13
	VMULPD Y2, Y9, Y9
	VMULPD Y5, Y10, Y10
	VMULPD Y8, Y11, Y11
	VADDPD Y10, Y9, Y9
	VADDPD Y11, Y9, Y9
	VDIVPD Y13, Y9, Y15
	VBROADCASTSD wideRay_best(DI), Y13
	VCMPPD $2, Y15, Y14, Y14
	VCMPPD $1, Y13, Y15, Y13
	VANDPD Y14, Y13, Y13
	VANDNPD Y13, Y12, Y13
	VMOVMSKPD Y13, BX
	TESTL BX, BX
	JZ    popleaf
	VMOVUPD Y15, scratch-2112(SP)
	VMOVSD wideRay_best(DI), X0

nearer:
	BSFL BX, R12
	LEAL -1(BX), R13
	VMOVSD scratch-2112(SP)(R12*8), X1
	VUCOMISD X1, X0 // best against t
	JLS  kept
	VMOVAPD X1, X0
	MOVL block_tri(AX)(R12*4), CX
	MOVL CX, wideRay_tri(DI)
kept:
	ANDL R13, BX
	JNZ  nearer
	VMOVSD X0, wideRay_best(DI)
	VMULSD wideRay_reach(DI), X0, X0
	VCVTSD2SS X0, X0, X0
	VMOVSS X0, wideRay_bound(DI)

popleaf:
	CMPQ R8, R15
	JEQ  done
	SUBQ $8, R8
	MOVL 4(R8), R13
	CMPL R13, wideRay_bound(DI)
	JHI  popleaf
	MOVL (R8), CX
	TESTL CX, CX
	JS   leaf
	JMP  load

done:
	VZEROUPPER
	RET
