// The lanes of a batch side by side: what warmLane and solveLane do to one, with the same roundings in
// the same order, so that both give the same bits. A register holds one number of each of four lanes.
//
// DI batch, CX batches left, DX rows, SI bodies, R8 pass, BX scratch; R9 to R12 the bodies of the lanes.

#include "textflag.h"
#include "go_asm.h"

// BODIES finds the bodies that a list of four indices names. A body is six pairs of numbers:
// v.x v.y, v.z w.x, w.y w.z, dp.x dp.y, dp.z da.x, da.y da.z.
#define BODY(at, reg) \
	MOVLQSX at(DI), reg; \
	LEAQ (reg)(reg*2), reg; \
	SHLQ $5, reg; \
	ADDQ SI, reg

#define BODIES(list) \
	BODY(list+0, R9); BODY(list+4, R10); BODY(list+8, R11); BODY(list+12, R12)

// SOON asks for a body of the next batch, AHEAD for all of them, if there is a next one: bodies are spread over
// memory, where the processor does not foresee them.
#define SOON(at) \
	MOVLQSX (contactBatch__size+at)(DI), AX; \
	LEAQ (AX)(AX*2), AX; \
	SHLQ $5, AX; \
	PREFETCHT0 (SI)(AX*1); \
	PREFETCHT0 64(SI)(AX*1)

#define AHEAD(none) \
	CMPQ CX, $1; JEQ none; \
	SOON(contactBatch_a+0); SOON(contactBatch_a+4); SOON(contactBatch_a+8); SOON(contactBatch_a+12); \
	SOON(contactBatch_b+0); SOON(contactBatch_b+4); SOON(contactBatch_b+8); SOON(contactBatch_b+12); \
none:

// PAIR takes two numbers of each body into two registers, by way of X11 to X14.
#define PAIR(off, d0, d1) \
	VMOVUPD off(R9), X11; VINSERTF128 $1, off(R11), Y11, Y11; \
	VMOVUPD off(R10), X12; VINSERTF128 $1, off(R12), Y12, Y12; \
	VUNPCKLPD Y12, Y11, d0; \
	VUNPCKHPD Y12, Y11, d1

// PUT writes six registers back to the bodies that a mask names: v and w.
#define PUT(list, b0, b1, b2, b3, vx, vy, vz, wx, wy, wz, t0, t1, t2, t3, l0, l1, l2, l3) \
	BODIES(list); \
	VUNPCKLPD vy, vx, t0; \
	VUNPCKHPD vy, vx, t1; \
	VUNPCKLPD wx, vz, t2; \
	VUNPCKHPD wx, vz, t3; \
	VUNPCKLPD wz, wy, vx; \
	VUNPCKHPD wz, wy, vy; \
	MOVL contactBatch_movableMask(DI), AX; \
	TESTL $b0, AX; JZ l0; \
	VEXTRACTF128 $0, t0, 0(R9); VEXTRACTF128 $0, t2, 16(R9); VEXTRACTF128 $0, vx, 32(R9); \
l0: \
	TESTL $b1, AX; JZ l1; \
	VEXTRACTF128 $0, t1, 0(R10); VEXTRACTF128 $0, t3, 16(R10); VEXTRACTF128 $0, vy, 32(R10); \
l1: \
	TESTL $b2, AX; JZ l2; \
	VEXTRACTF128 $1, t0, 0(R11); VEXTRACTF128 $1, t2, 16(R11); VEXTRACTF128 $1, vx, 32(R11); \
l2: \
	TESTL $b3, AX; JZ l3; \
	VEXTRACTF128 $1, t1, 0(R12); VEXTRACTF128 $1, t3, 16(R12); VEXTRACTF128 $1, vy, 32(R12); \
l3:

// TIMES is d = m · x with lean m in memory; d is not x.
#define TIMES(m, base, x, d) \
	VCVTPS2PD (m)(base), d; VMULPD x, d, d

// DOT is d = m · (x, y, z) with lean m in memory.
#define DOT(m, base, x, y, z, t, d) \
	TIMES(m+0, base, x, d); \
	TIMES(m+16, base, y, t); VADDPD t, d, d; \
	TIMES(m+32, base, z, t); VADDPD t, d, d

// MORE is (x, y, z) += k·m, LESS is -=.
#define MORE(m, base, k, t, x, y, z) \
	TIMES(m+0, base, k, t); VADDPD t, x, x; \
	TIMES(m+16, base, k, t); VADDPD t, y, y; \
	TIMES(m+32, base, k, t); VADDPD t, z, z

#define LESS(m, base, k, t, x, y, z) \
	TIMES(m+0, base, k, t); VSUBPD t, x, x; \
	TIMES(m+16, base, k, t); VSUBPD t, y, y; \
	TIMES(m+32, base, k, t); VSUBPD t, z, z

#define ROWS \
	MOVLQSX contactBatch_firstRow(DI), R14; \
	IMULQ $contactRow__size, R14; \
	ADDQ DX, R14; \
	MOVLQSX contactBatch_rowCount(DI), R15

// SUM3 is d = k1·m1 + k2·m2 + k3·m3, the m lean, the k in memory too.
#define SUM3(m1, k1, m2, k2, m3, k3, t, d) \
	VCVTPS2PD (m1)(DI), d; VMULPD k1(DI), d, d; \
	VCVTPS2PD (m2)(DI), t; VMULPD k2(DI), t, t; VADDPD t, d, d; \
	VCVTPS2PD (m3)(DI), t; VMULPD k3(DI), t, t; VADDPD t, d, d

// PUSHED is one component of what the impulses of friction, and along the normal, do to v of both.
#define PUSHED(off, va, vb) \
	VCVTPS2PD (contactBatch_t1+off)(DI), Y13; VMULPD contactBatch_tangentImpulse1(DI), Y13, Y13; \
	VCVTPS2PD (contactBatch_t2+off)(DI), Y14; VMULPD contactBatch_tangentImpulse2(DI), Y14, Y14; VADDPD Y14, Y13, Y13; \
	TIMES(contactBatch_normal+off, DI, Y11, Y14); VADDPD Y14, Y13, Y13; \
	VMULPD contactBatch_massA(DI), Y13, Y14; VSUBPD Y14, va, va; \
	VMULPD contactBatch_massB(DI), Y13, Y14; VADDPD Y14, vb, vb

#define TURNED(off, wa, wb) \
	SUM3(contactBatch_frictionResponse+frictionResponse_turnA1+off, contactBatch_tangentImpulse1, contactBatch_frictionResponse+frictionResponse_turnA2+off, contactBatch_tangentImpulse2, contactBatch_frictionResponse+frictionResponse_spinA+off, contactBatch_spinImpulse, Y14, Y13); \
	VSUBPD Y13, wa, wa; \
	SUM3(contactBatch_frictionResponse+frictionResponse_turnB1+off, contactBatch_tangentImpulse1, contactBatch_frictionResponse+frictionResponse_turnB2+off, contactBatch_tangentImpulse2, contactBatch_frictionResponse+frictionResponse_spinB+off, contactBatch_spinImpulse, Y14, Y13); \
	VADDPD Y13, wb, wb

// func warmWide(batches *batch, count int, rows *row, bodies *moving)
TEXT ·warmStartContactsWide(SB), NOSPLIT, $0-32
	MOVQ batches+0(FP), DI
	MOVQ count+8(FP), CX
	MOVQ rows+16(FP), DX
	MOVQ bodies+24(FP), SI

warmNext:
	AHEAD(warmLast)
	BODIES(contactBatch_a)
	PAIR(0, Y0, Y1)
	PAIR(16, Y2, Y3)
	PAIR(32, Y4, Y5)
	BODIES(contactBatch_b)
	PAIR(0, Y6, Y7)
	PAIR(16, Y8, Y9)
	PAIR(32, Y10, Y15)
	VXORPD Y11, Y11, Y11
	ROWS

warmRow:
	VMOVUPD contactRow_impulse(R14), Y12
	VADDPD Y12, Y11, Y11
	LESS(contactRow_turnA, R14, Y12, Y13, Y3, Y4, Y5)
	MORE(contactRow_turnB, R14, Y12, Y13, Y9, Y10, Y15)
	ADDQ $contactRow__size, R14
	DECQ R15
	JNZ warmRow

	PUSHED(0, Y0, Y6)
	PUSHED(16, Y1, Y7)
	PUSHED(32, Y2, Y8)
	TURNED(0, Y3, Y9)
	TURNED(16, Y4, Y10)
	TURNED(32, Y5, Y15)
	PUT(contactBatch_a, 1, 2, 4, 8, Y0, Y1, Y2, Y3, Y4, Y5, Y11, Y12, Y13, Y14, warmA0, warmA1, warmA2, warmA3)
	PUT(contactBatch_b, 16, 32, 64, 128, Y6, Y7, Y8, Y9, Y10, Y15, Y11, Y12, Y13, Y14, warmB0, warmB1, warmB2, warmB3)
	ADDQ $contactBatch__size, DI
	DECQ CX
	JNZ warmNext
	VZEROUPPER
	RET

// Scratch of solveWide: v of a and of b, da and db, the sum of the inverse masses.
#define VA 0
#define VB 96
#define DA 192
#define DB 288
#define MASS 384

// func solveWide(batches *batch, count int, rows *row, bodies *moving, p *pass)
TEXT ·solveContactsWide(SB), NOSPLIT, $448-40
	MOVQ batches+0(FP), DI
	MOVQ count+8(FP), CX
	MOVQ rows+16(FP), DX
	MOVQ bodies+24(FP), SI
	MOVQ p+32(FP), R8
	LEAQ 31(SP), BX
	ANDQ $~31, BX

solveNext:
	AHEAD(solveLast)
	// Y0 speed and Y1 shift along the normal, Y2 to Y4 w of a, Y5 to Y7 w of b.
	BODIES(contactBatch_a)
	PAIR(0, Y0, Y1)
	PAIR(16, Y8, Y2)
	VMOVUPD Y0, VA+0(BX)
	VMOVUPD Y1, VA+32(BX)
	VMOVUPD Y8, VA+64(BX)
	PAIR(32, Y3, Y4)
	PAIR(48, Y0, Y1)
	PAIR(64, Y8, Y9)
	PAIR(80, Y10, Y15)
	VMOVUPD Y9, DA+0(BX)
	VMOVUPD Y10, DA+32(BX)
	VMOVUPD Y15, DA+64(BX)
	BODIES(contactBatch_b)
	PAIR(32, Y6, Y7)
	PAIR(48, Y9, Y10)
	VSUBPD Y0, Y9, Y0
	VSUBPD Y1, Y10, Y1
	PAIR(64, Y9, Y10)
	VSUBPD Y8, Y9, Y8
	PAIR(80, Y15, Y5)
	VMOVUPD Y10, DB+0(BX)
	VMOVUPD Y15, DB+32(BX)
	VMOVUPD Y5, DB+64(BX)
	DOT(contactBatch_normal, DI, Y0, Y1, Y8, Y10, Y9)
	VMOVAPD Y9, Y1
	PAIR(0, Y8, Y9)
	PAIR(16, Y10, Y5)
	VMOVUPD Y8, VB+0(BX)
	VMOVUPD Y9, VB+32(BX)
	VMOVUPD Y10, VB+64(BX)
	VSUBPD VA+0(BX), Y8, Y8
	VSUBPD VA+32(BX), Y9, Y9
	VSUBPD VA+64(BX), Y10, Y10
	DOT(contactBatch_normal, DI, Y8, Y9, Y10, Y11, Y0)
	VMOVUPD contactBatch_massA(DI), Y11
	VADDPD contactBatch_massB(DI), Y11, Y11
	VMOVUPD Y11, MASS(BX)

	// Y8 load, Y9 load times lever, Y10 what the impulses have changed; R13 the softness.
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9
	VXORPD Y10, Y10, Y10
	LEAQ iteration_biasRate(R8), R13
	CMPB iteration_useBias(R8), $0
	JEQ rigid
	LEAQ contactBatch_biasRate(DI), R13

rigid:
	ROWS

solveRow:
	// Y11 the gap now.
	VCVTPS2PD contactRow_gap(R14), Y11
	VADDPD Y11, Y1, Y11
	VCVTPS2PD contactRow_armCrossNormalB+0(R14), Y12
	VMULPD DB+0(BX), Y12, Y12
	VCVTPS2PD contactRow_armCrossNormalB+16(R14), Y13
	VMULPD DB+32(BX), Y13, Y13
	VADDPD Y13, Y12, Y12
	VCVTPS2PD contactRow_armCrossNormalB+32(R14), Y13
	VMULPD DB+64(BX), Y13, Y13
	VADDPD Y13, Y12, Y12
	VADDPD Y12, Y11, Y11
	VCVTPS2PD contactRow_armCrossNormalA+0(R14), Y12
	VMULPD DA+0(BX), Y12, Y12
	VCVTPS2PD contactRow_armCrossNormalA+16(R14), Y13
	VMULPD DA+32(BX), Y13, Y13
	VADDPD Y13, Y12, Y12
	VCVTPS2PD contactRow_armCrossNormalA+32(R14), Y13
	VMULPD DA+64(BX), Y13, Y13
	VADDPD Y13, Y12, Y12
	VSUBPD Y12, Y11, Y11

	// Y12 the speed of parting.
	DOT(contactRow_armCrossNormalB, R14, Y5, Y6, Y7, Y13, Y12)
	VADDPD Y12, Y0, Y12
	DOT(contactRow_armCrossNormalA, R14, Y2, Y3, Y4, Y14, Y13)
	VSUBPD Y13, Y12, Y12

	// Bias, mass and memory, by the sign of the gap in Y15.
	VXORPD Y14, Y14, Y14
	VCMPPD $30, Y14, Y11, Y15
	TIMES(0, R13, Y11, Y13)
	VMAXPD iteration_maxPushOut(R8), Y13, Y13
	VMULPD iteration_invH(R8), Y11, Y11
	VBLENDVPD Y15, Y11, Y13, Y13
	VADDPD Y13, Y12, Y12
	VCVTPS2PD 16(R13), Y13
	VBLENDVPD Y15, iteration_one(R8), Y13, Y13
	VCVTPS2PD contactRow_mass(R14), Y11
	VMULPD Y11, Y13, Y13
	VMULPD Y12, Y13, Y12
	VCVTPS2PD 32(R13), Y13
	VANDNPD Y13, Y15, Y13

	// The impulse, Y12, and its change, Y11.
	VMOVUPD contactRow_impulse(R14), Y11
	VMULPD Y11, Y13, Y13
	VSUBPD Y12, Y11, Y12
	VSUBPD Y13, Y12, Y12
	VMAXPD Y14, Y12, Y12
	VMOVUPD Y12, contactRow_impulse(R14)
	VSUBPD Y11, Y12, Y11
	VADDPD Y11, Y10, Y10
	VADDPD Y12, Y8, Y8
	VCVTPS2PD contactRow_lever(R14), Y13
	VMULPD Y13, Y12, Y12
	VADDPD Y12, Y9, Y9
	VMULPD MASS(BX), Y11, Y12
	VADDPD Y12, Y0, Y0
	LESS(contactRow_turnA, R14, Y11, Y12, Y2, Y3, Y4)
	MORE(contactRow_turnB, R14, Y11, Y12, Y5, Y6, Y7)
	ADDQ $contactRow__size, R14
	DECQ R15
	JNZ solveRow

	// What the normals did to v.
	VMULPD contactBatch_massA(DI), Y10, Y11
	VMOVUPD VA+0(BX), Y12
	VMOVUPD VA+32(BX), Y13
	VMOVUPD VA+64(BX), Y14
	LESS(contactBatch_normal, DI, Y11, Y15, Y12, Y13, Y14)
	VMOVUPD Y12, VA+0(BX)
	VMOVUPD Y13, VA+32(BX)
	VMOVUPD Y14, VA+64(BX)
	VMULPD contactBatch_massB(DI), Y10, Y11
	VMOVUPD VB+0(BX), Y12
	VMOVUPD VB+32(BX), Y13
	VMOVUPD VB+64(BX), Y14
	MORE(contactBatch_normal, DI, Y11, Y15, Y12, Y13, Y14)
	VMOVUPD Y12, VB+0(BX)
	VMOVUPD Y13, VB+32(BX)
	VMOVUPD Y14, VB+64(BX)

	// Spinning, up to Y11.
	VCVTPS2PD contactBatch_mu1(DI), Y11
	VCVTPS2PD contactBatch_mu2(DI), Y12
	VADDPD Y12, Y11, Y11
	VMULPD iteration_half(R8), Y11, Y11
	VMULPD Y9, Y11, Y11
	TIMES(contactBatch_torsion, DI, Y8, Y12)
	VADDPD Y12, Y11, Y11
	VSUBPD Y2, Y5, Y12
	VSUBPD Y3, Y6, Y13
	VSUBPD Y4, Y7, Y14
	DOT(contactBatch_normal, DI, Y12, Y13, Y14, Y15, Y10)
	TIMES(contactBatch_frictionResponse+frictionResponse_spinMass, DI, Y10, Y12)
	VMOVUPD contactBatch_spinImpulse(DI), Y13
	VSUBPD Y12, Y13, Y12
	VMINPD Y11, Y12, Y12
	VXORPD iteration_sign(R8), Y11, Y11
	VMAXPD Y11, Y12, Y12
	VMOVUPD Y12, contactBatch_spinImpulse(DI)
	VSUBPD Y13, Y12, Y12
	LESS(contactBatch_frictionResponse+frictionResponse_spinA, DI, Y12, Y13, Y2, Y3, Y4)
	MORE(contactBatch_frictionResponse+frictionResponse_spinB, DI, Y12, Y13, Y5, Y6, Y7)

	// Y9, Y10, Y11 the speed at the middle: v + w × arm of b, less that of a.
#define SLIDE(off, o1, o2, bp, bq, ap, aq, d) \
	VMOVUPD VB+off(BX), d; \
	VSUBPD VA+off(BX), d, d; \
	VMULPD (contactBatch_armB+o2)(DI), bp, Y12; \
	VMULPD (contactBatch_armB+o1)(DI), bq, Y13; \
	VSUBPD Y13, Y12, Y12; \
	VADDPD Y12, d, d; \
	VMULPD (contactBatch_armA+o2)(DI), ap, Y12; \
	VMULPD (contactBatch_armA+o1)(DI), aq, Y13; \
	VSUBPD Y13, Y12, Y12; \
	VSUBPD Y12, d, d
	SLIDE(0, 32, 64, Y6, Y7, Y3, Y4, Y9)
	SLIDE(32, 64, 0, Y7, Y5, Y4, Y2, Y10)
	SLIDE(64, 0, 32, Y5, Y6, Y2, Y3, Y11)
	DOT(contactBatch_t1, DI, Y9, Y10, Y11, Y14, Y12)
	DOT(contactBatch_t2, DI, Y9, Y10, Y11, Y14, Y13)

	// Y14 and Y15 the impulses, Y9 and Y10 those before.
	TIMES(contactBatch_frictionResponse+frictionResponse_invK11, DI, Y12, Y14)
	TIMES(contactBatch_frictionResponse+frictionResponse_invK12, DI, Y13, Y15)
	VADDPD Y15, Y14, Y14
	VMOVUPD contactBatch_tangentImpulse1(DI), Y9
	VSUBPD Y14, Y9, Y14
	TIMES(contactBatch_frictionResponse+frictionResponse_invK12, DI, Y12, Y10)
	TIMES(contactBatch_frictionResponse+frictionResponse_invK22, DI, Y13, Y12)
	VADDPD Y12, Y10, Y12
	VMOVUPD contactBatch_tangentImpulse2(DI), Y10
	VSUBPD Y12, Y10, Y15

	// Within the cone: half axes Y11, Y12, their product Y8.
	TIMES(contactBatch_mu1, DI, Y8, Y11)
	TIMES(contactBatch_mu2, DI, Y8, Y12)
	VMULPD Y12, Y11, Y8
	VMULPD Y12, Y14, Y13
	VMULPD Y13, Y13, Y13
	VMULPD Y11, Y15, Y0
	VMULPD Y0, Y0, Y0
	VADDPD Y0, Y13, Y13
	VMULPD Y8, Y8, Y0
	VCMPPD $30, Y0, Y13, Y0
	VSQRTPD Y13, Y13
	VDIVPD Y13, Y8, Y13
	VMULPD Y13, Y14, Y1
	VBLENDVPD Y0, Y1, Y14, Y1
	VMULPD Y13, Y15, Y13
	VBLENDVPD Y0, Y13, Y15, Y13
	VXORPD Y0, Y0, Y0
	VCMPPD $30, Y0, Y8, Y0
	VMINPD Y11, Y14, Y14
	VXORPD iteration_sign(R8), Y11, Y11
	VMAXPD Y11, Y14, Y14
	VBLENDVPD Y0, Y1, Y14, Y14
	VMINPD Y12, Y15, Y15
	VXORPD iteration_sign(R8), Y12, Y12
	VMAXPD Y12, Y15, Y15
	VBLENDVPD Y0, Y13, Y15, Y15
	VMOVUPD Y14, contactBatch_tangentImpulse1(DI)
	VMOVUPD Y15, contactBatch_tangentImpulse2(DI)
	VSUBPD Y9, Y14, Y14
	VSUBPD Y10, Y15, Y15

	// What they do to v, into Y8 to Y13, and to w.
#define SHOVE(off, lean, va, vb) \
	TIMES(contactBatch_t1+lean, DI, Y14, Y0); \
	TIMES(contactBatch_t2+lean, DI, Y15, Y1); \
	VADDPD Y1, Y0, Y0; \
	VMULPD contactBatch_massA(DI), Y0, Y1; \
	VMOVUPD VA+off(BX), va; \
	VSUBPD Y1, va, va; \
	VMULPD contactBatch_massB(DI), Y0, Y1; \
	VADDPD VB+off(BX), Y1, vb
#define SWING(off, wa, wb) \
	TIMES(contactBatch_frictionResponse+frictionResponse_turnA1+off, DI, Y14, Y0); \
	TIMES(contactBatch_frictionResponse+frictionResponse_turnA2+off, DI, Y15, Y1); \
	VADDPD Y1, Y0, Y0; \
	VSUBPD Y0, wa, wa; \
	TIMES(contactBatch_frictionResponse+frictionResponse_turnB1+off, DI, Y14, Y0); \
	TIMES(contactBatch_frictionResponse+frictionResponse_turnB2+off, DI, Y15, Y1); \
	VADDPD Y1, Y0, Y0; \
	VADDPD Y0, wb, wb
	SHOVE(0, 0, Y8, Y11)
	SHOVE(32, 16, Y9, Y12)
	SHOVE(64, 32, Y10, Y13)
	SWING(0, Y2, Y5)
	SWING(16, Y3, Y6)
	SWING(32, Y4, Y7)
	PUT(contactBatch_a, 1, 2, 4, 8, Y8, Y9, Y10, Y2, Y3, Y4, Y0, Y1, Y14, Y15, solveA0, solveA1, solveA2, solveA3)
	PUT(contactBatch_b, 16, 32, 64, 128, Y11, Y12, Y13, Y5, Y6, Y7, Y0, Y1, Y14, Y15, solveB0, solveB1, solveB2, solveB3)
	ADDQ $contactBatch__size, DI
	DECQ CX
	JNZ solveNext
	VZEROUPPER
	RET

// func fetch(at unsafe.Pointer, size int)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVQ at+0(FP), SI
	MOVQ size+8(FP), CX
	ADDQ SI, CX
	ANDQ $~63, SI

fetchNext:
	PREFETCHT0 (SI)
	ADDQ $64, SI
	CMPQ SI, CX
	JLT fetchNext
	RET

// func hasAVX2() bool
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	MOVL $0, AX
	CPUID
	CMPL AX, $7
	JLT no
	MOVL $1, AX
	MOVL $0, CX
	CPUID
	ANDL $(1<<27 | 1<<28), CX
	CMPL CX, $(1<<27 | 1<<28)
	JNE no
	MOVL $0, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE no
	MOVL $7, AX
	MOVL $0, CX
	CPUID
	TESTL $(1<<5), BX
	JZ no
	MOVB $1, ret+0(FP)

no:
	RET
