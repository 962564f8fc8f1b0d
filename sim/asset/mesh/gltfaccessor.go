package mesh

import (
	"encoding/binary"
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxHollow bounds an accessor that has no bytes of its own: they are zeros.
const maxHollow = 65_536

type gltfAccessor struct {
	BufferView    *int
	ByteOffset    int64
	ComponentType int
	Normalized    bool
	Count         int64
	Type          string
	Sparse        *gltfSparse
}

type gltfSparse struct {
	Count   int64
	Indices struct {
		BufferView    int
		ByteOffset    int64
		ComponentType int
	}
	Values struct {
		BufferView int
		ByteOffset int64
	}
}

type gltfView struct {
	Buffer                             int
	ByteOffset, ByteLength, ByteStride int64
	Extensions                         map[string]struct{ Buffer int }
}

// vectors reads an accessor of vectors with size components as numbers, one vector after the other.
func (g *gltf) vectors(i, size int) ([]float64, error) {
	if i < 0 || i >= len(g.Accessors) {
		return nil, fmt.Errorf("accessors[%d] is not there; there are %d", i, len(g.Accessors))
	}
	a := &g.Accessors[i]
	components := map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[a.Type]
	if components != size {
		return nil, fmt.Errorf("accessors[%d] is of type %q, needed are %d components", i, a.Type, size)
	}
	if a.Count < 0 || a.Count > maxVertices {
		return nil, fmt.Errorf("accessors[%d] has %d values, at most %d are read", i, a.Count, maxVertices)
	}
	var out []float64
	var err error
	switch {
	case a.BufferView != nil:
		out, err = g.strided(*a.BufferView, a.ByteOffset, a.ComponentType, a.Count, size, a.Normalized)
	case a.Count > maxHollow:
		err = fmt.Errorf("%d values without any bytes; at most %d are filled with zeros", a.Count, maxHollow)
	default:
		out = make([]float64, int(a.Count)*size)
	}
	if err == nil && a.Sparse != nil {
		err = g.sparse(a, out, size)
	}
	if err != nil {
		return nil, fmt.Errorf("accessors[%d]: %w", i, err)
	}
	return out, nil
}

// strided reads count vectors of a buffer view.
func (g *gltf) strided(view int, offset int64, kind int, count int64, size int, unit bool) ([]float64,
	error) {
	wide := map[int]int64{5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}[kind]
	if wide == 0 {
		return nil, fmt.Errorf("component type %d is not one of glTF", kind)
	}
	data, stride, err := g.view(view)
	if err != nil {
		return nil, err
	}
	one := wide * int64(size)
	if stride == 0 {
		stride = one
	}
	left := int64(len(data)) - offset
	if offset < 0 || count > 0 && (left < one || count-1 > (left-one)/stride) {
		return nil, fmt.Errorf("%d values of %d bytes from byte %d on, a stride of %d apart, do not fit into the %d of bufferViews[%d]",
			count, one, offset, stride, len(data), view)
	}
	out := make([]float64, count*int64(size))
	for i := range count {
		at := data[offset+i*stride:]
		for k := range size {
			out[i*int64(size)+int64(k)] = component(at[int64(k)*wide:], kind, unit)
		}
	}
	return out, nil
}

// view is the bytes of a buffer view and their stride; 0: tightly packed.
func (g *gltf) view(i int) ([]byte, int64, error) {
	if i < 0 || i >= len(g.BufferViews) {
		return nil, 0, fmt.Errorf("bufferViews[%d] is not there; there are %d", i, len(g.BufferViews))
	}
	v := &g.BufferViews[i]
	if _, packed := v.Extensions["EXT_meshopt_compression"]; packed {
		return nil, 0, fmt.Errorf("bufferViews[%d] is compressed with meshopt, which is not read; export it without compression",
			i)
	}
	b, err := g.buffer(v.Buffer)
	if err != nil {
		return nil, 0, fmt.Errorf("bufferViews[%d]: %w", i, err)
	}
	size := int64(len(b))
	if v.ByteOffset < 0 || v.ByteLength < 0 || v.ByteOffset > size || v.ByteLength > size-v.ByteOffset {
		return nil, 0, fmt.Errorf("bufferViews[%d] takes %d bytes from byte %d on of %d", i, v.ByteLength,
			v.ByteOffset, size)
	}
	if v.ByteStride < 0 || v.ByteStride > 252 {
		return nil, 0, fmt.Errorf("bufferViews[%d] has a stride of %d; want 4 to 252", i, v.ByteStride)
	}
	return b[v.ByteOffset : v.ByteOffset+v.ByteLength], v.ByteStride, nil
}

// component reads one number; unit: integers stand for 0…1 or -1…1.
func component(b []byte, kind int, unit bool) float64 {
	var f, most float64
	switch kind {
	case 5120:
		f, most = float64(int8(b[0])), math.MaxInt8
	case 5121:
		f, most = float64(b[0]), math.MaxUint8
	case 5122:
		f, most = float64(int16(binary.LittleEndian.Uint16(b))), math.MaxInt16
	case 5123:
		f, most = float64(binary.LittleEndian.Uint16(b)), math.MaxUint16
	case 5125:
		return float64(binary.LittleEndian.Uint32(b))
	default:
		return float(b)
	}
	if unit {
		return max(f/most, -1)
	}
	return f
}

// sparse replaces some of the vectors of an accessor.
func (g *gltf) sparse(a *gltfAccessor, out []float64, size int) error {
	s := a.Sparse
	if s.Count < 0 || s.Count > a.Count {
		return fmt.Errorf("%d sparse values of %d", s.Count, a.Count)
	}
	places, err := g.strided(s.Indices.BufferView, s.Indices.ByteOffset, s.Indices.ComponentType, s.Count, 1,
		false)
	if err != nil {
		return err
	}
	values, err := g.strided(s.Values.BufferView, s.Values.ByteOffset, a.ComponentType, s.Count, size,
		a.Normalized)
	if err != nil {
		return err
	}
	for i, p := range places {
		if p < 0 || p >= float64(a.Count) {
			return fmt.Errorf("sparse index %g of %d values", p, a.Count)
		}
		copy(out[int(p)*size:int(p)*size+size], values[i*size:])
	}
	return nil
}

// corners is the attributes of a primitive's vertices besides positions; nil without any. Unreadable
// attributes affect the appearance alone.
func (g *gltf) corners(p *gltfPrimitive, at affine, count int) []scene.Corner {
	normals := g.attribute(p, "NORMAL", 3, count)
	uvs := g.attribute(p, g.coordinates(p), 2, count)
	if normals == nil && uvs == nil {
		return nil
	}
	out := make([]scene.Corner, count)
	across, ok := at.m.T().Inverse()
	moved := g.moved(p)
	for i := range out {
		if normals != nil && ok {
			if u, unit := across.Apply(r3.V(normals[3*i], normals[3*i+1], normals[3*i+2])).Unit(); unit {
				out[i].Normal = [3]float32{float32(u.X), float32(u.Y), float32(u.Z)}
			}
		}
		if uvs != nil {
			u, v := moved.apply(uvs[2*i], uvs[2*i+1])
			if math.Abs(u) < 1e6 && math.Abs(v) < 1e6 {
				out[i].UV = [2]float32{float32(u), float32(1 - v)} // glTF counts from the upper left
			}
		}
	}
	return out
}

func (g *gltf) attribute(p *gltfPrimitive, name string, size, count int) []float64 {
	i, ok := p.Attributes[name]
	if !ok {
		return nil
	}
	values, err := g.vectors(i, size)
	if err == nil && len(values) < size*count {
		err = fmt.Errorf("accessors[%d] has %d values for %d corners", i, len(values)/size, count)
	}
	if err != nil {
		g.m.warn("%s left out: %v", name, err)
		return nil
	}
	return values
}
