package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// uses are the types that expressions give a constant.
type uses struct {
	types  map[string]bool
	fixed  bool        // an expression must be constant, as the length of an array must
	folded []foldedUse // constant expressions of more than the constant
}

// findVariables says for which constants a variable can stand: those of one type in all uses, none of which
// must be constant. All of them are varied by one binary; each of the others needs two of its own.
func findVariables(all []constant) error {
	found := map[string]*uses{}
	set := token.NewFileSet()
	from := importer.ForCompiler(set, "source", nil)
	err := walk(func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || d.Name() == "testdata" || d.Name() == "peers" {
			if err == nil && d.IsDir() {
				return fs.SkipDir
			}
			return err
		}
		b, err := build.ImportDir(path, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, names := range [][]string{append(b.GoFiles, b.TestGoFiles...), b.XTestGoFiles} {
			if err := usesOf(path, names, set, from, found); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range all {
		c := &all[i]
		u := found[fmt.Sprint(c.file, ":", c.nameAt)]
		if u == nil || u.fixed || len(u.types) != 1 || c.local {
			continue
		}
		for t := range u.types {
			c.variable = t
		}
		c.folded = u.folded
	}
	return nil
}

// usesOf notes the uses of constants in the files of a package.
func usesOf(path string, names []string, set *token.FileSet, from types.Importer,
	found map[string]*uses) error {
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(set, filepath.Join(path, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	// The importer does not see what export_test.go exports: the compiler says what is really wrong.
	config := types.Config{Importer: from, Error: func(error) {}}
	pkg, err := config.Check("simdeck/"+filepath.ToSlash(path), set, files, info)
	if err != nil && !strings.HasSuffix(files[0].Name.Name, "_test") {
		return err
	}
	for _, file := range files {
		fixed := map[ast.Node]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ArrayType:
				if n.Len != nil {
					fixed[n.Len] = true
				}
			case *ast.GenDecl:
				fixed[n] = n.Tok == token.CONST
			}
			return true
		})
		var stack []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			stack = append(stack, n)
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			object, ok := info.Uses[id].(*types.Const)
			if !ok {
				return true
			}
			at := set.Position(object.Pos())
			if at.Filename == "" {
				return true
			}
			name := relative(at.Filename)
			u := cmp.Or(found[fmt.Sprint(name, ":", at.Offset)], &uses{types: map[string]bool{}})
			found[fmt.Sprint(name, ":", at.Offset)] = u
			for _, above := range stack {
				u.fixed = u.fixed || fixed[above]
			}
			// The whole of a constant expression has the type that its parts get as variables.
			expression, computed := ast.Expr(id), false
			for _, above := range slices.Backward(stack[:len(stack)-1]) {
				switch above := above.(type) {
				case *ast.SelectorExpr, *ast.UnaryExpr, *ast.BinaryExpr, *ast.ParenExpr:
					if info.Types[above.(ast.Expr)].Value != nil {
						expression = above.(ast.Expr)
						_, binary := above.(*ast.BinaryExpr)
						computed = computed || binary
						continue
					}
				}
				break
			}
			t := types.Default(info.Types[expression].Type)
			if computed && t == types.Typ[types.Float64] {
				from, to := set.Position(expression.Pos()), set.Position(expression.End())
				u.folded = append(u.folded, foldedUse{file: relative(from.Filename), from: from.Offset,
					to: to.Offset, at: set.Position(id.End()).Offset})
			}
			u.types[types.TypeString(t, types.RelativeTo(pkg))] = true
			return true
		})
	}
	return nil
}

// relative is a file's name below the root of the module.
func relative(file string) string {
	for _, folder := range []string{root, transmissions} {
		if at := strings.Index(filepath.ToSlash(file), folder+"/"); at >= 0 {
			return filepath.ToSlash(file)[at:]
		}
	}
	return file
}
