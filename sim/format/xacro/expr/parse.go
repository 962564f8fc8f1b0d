package expr

import (
	"slices"
	"strconv"
	"strings"
)

// node is a part of an expression, ready to run.
type node func(e *Env) (Value, error)

// maxNesting bounds parentheses inside parentheses and the like.
const maxNesting = 100

// parser reads an expression by recursive descent, after Python's reference, section 6.
type parser struct {
	tokens []token
	at     int
	depth  int
}

func (p *parser) read(text string) (err error) {
	p.tokens, err = lex(text)
	return err
}

func (p *parser) peek() token { return p.tokens[p.at] }

// is reports that the next token is one of the operators or words.
func (p *parser) is(texts ...string) bool {
	t := p.peek()
	return (t.kind == 'o' || t.kind == 'i') && slices.Contains(texts, t.text)
}

// accept takes the next token if it is that operator or word.
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) expect(text string) error {
	if !p.accept(text) {
		return wrong("%s found where %q is needed", describe(p.peek()), text)
	}
	return nil
}

func describe(t token) string {
	if t.kind == 'e' {
		return t.text
	}
	return strconv.Quote(clip(t.text))
}

// whole reads all of the text: one expression, or several with commas, which are a tuple.
func (p *parser) whole() (node, error) {
	if p.peek().kind == 'e' {
		return nil, wrong("the expression is empty")
	}
	n, err := p.tuple()
	if err != nil {
		return nil, err
	}
	if p.peek().kind != 'e' {
		return nil, wrong("%s is not expected here", describe(p.peek()))
	}
	return n, nil
}

// tuple reads an expression, or several with commas up to a bracket or the end.
func (p *parser) tuple() (node, error) {
	first, err := p.expression()
	if err != nil || !p.is(",") {
		return first, err
	}
	items := []node{first}
	for p.accept(",") {
		if p.peek().kind == 'e' || p.is(")", "]", "}") {
			break
		}
		n, err := p.expression()
		if err != nil {
			return nil, err
		}
		items = append(items, n)
	}
	return sequence(items, true), nil
}

// expression is one conditional expression.
func (p *parser) expression() (node, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, wrong("an expression nested deeper than %d", maxNesting)
	}
	defer func() { p.depth-- }()
	if p.is("lambda") {
		return nil, wrong("lambda is not understood; write a comprehension")
	}
	yes, err := p.either()
	if err != nil || !p.accept("if") {
		return yes, err
	}
	cond, err := p.either()
	if err != nil {
		return nil, err
	}
	if err := p.expect("else"); err != nil {
		return nil, err
	}
	no, err := p.expression()
	if err != nil {
		return nil, err
	}
	return func(e *Env) (Value, error) {
		v, err := cond(e)
		if err != nil {
			return nil, err
		}
		if Truth(v) {
			return yes(e)
		}
		return no(e)
	}, nil
}

func (p *parser) either() (node, error) { return p.chain("or", p.both) }

func (p *parser) both() (node, error) { return p.chain("and", p.not) }

// chain reads operands joined by "or" or "and"; the value is the operand that decides.
func (p *parser) chain(word string, operand func() (node, error)) (node, error) {
	left, err := operand()
	for err == nil && p.accept(word) {
		var right node
		if right, err = operand(); err == nil {
			first := left
			left = func(e *Env) (Value, error) {
				v, err := first(e)
				if err != nil || Truth(v) == (word == "or") {
					return v, err
				}
				return right(e)
			}
		}
	}
	return left, err
}

func (p *parser) not() (node, error) {
	odd, any := false, false
	for p.accept("not") {
		odd, any = !odd, true
	}
	n, err := p.comparison()
	if err != nil || !any {
		return n, err
	}
	return func(e *Env) (Value, error) {
		v, err := n(e)
		return Truth(v) != odd, err
	}, nil
}

// comparison reads a < b < c, which holds when every pair does.
func (p *parser) comparison() (node, error) {
	first, err := p.binary(0)
	if err != nil {
		return nil, err
	}
	var ops []string
	operands := []node{first}
	for {
		op := p.relation()
		if op == "" {
			break
		}
		n, err := p.binary(0)
		if err != nil {
			return nil, err
		}
		ops, operands = append(ops, op), append(operands, n)
	}
	if len(ops) == 0 {
		return first, nil
	}
	return func(e *Env) (Value, error) {
		left, err := operands[0](e)
		for i, op := range ops {
			if err != nil {
				return nil, err
			}
			right, err := operands[i+1](e)
			if err != nil {
				return nil, err
			}
			if holds, err := relate(e, op, left, right); err != nil || !holds {
				return false, err
			}
			left = right
		}
		return true, err
	}, nil
}

// relation takes a comparison operator; empty when there is none.
func (p *parser) relation() string {
	for _, op := range []string{"<", ">", "<=", ">=", "==", "!=", "in"} {
		if p.accept(op) {
			return op
		}
	}
	if p.is("not") && p.tokens[p.at+1].text == "in" {
		p.at += 2
		return "not in"
	}
	if p.accept("is") {
		if p.accept("not") {
			return "is not"
		}
		return "is"
	}
	return ""
}

// levels of the binary operators, loosest first.
var levels = [][]string{{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%"}}

func (p *parser) binary(level int) (node, error) {
	if level == len(levels) {
		return p.unary()
	}
	left, err := p.binary(level + 1)
	for err == nil && p.peek().kind == 'o' && p.is(levels[level]...) {
		op := p.peek().text
		p.at++
		var right node
		if right, err = p.binary(level + 1); err == nil {
			left = operation(op, left, right)
		}
	}
	return left, err
}

func operation(op string, left, right node) node {
	return func(e *Env) (Value, error) {
		if err := e.step(); err != nil {
			return nil, err
		}
		a, err := left(e)
		if err != nil {
			return nil, err
		}
		b, err := right(e)
		if err != nil {
			return nil, err
		}
		return arithmetic(e, op, a, b)
	}
}

// unary reads signs and the power behind them: -2 ** 2 is -4.
func (p *parser) unary() (node, error) {
	var signs []string
	for p.is("-", "+", "~") {
		signs = append(signs, p.peek().text)
		if p.at++; len(signs) > maxNesting {
			return nil, wrong("more than %d signs in front of a number", maxNesting)
		}
	}
	n, err := p.primary()
	if err != nil {
		return nil, err
	}
	if p.accept("**") {
		if p.depth++; p.depth > maxNesting {
			return nil, wrong("an expression nested deeper than %d", maxNesting)
		}
		right, err := p.unary()
		p.depth--
		if err != nil {
			return nil, err
		}
		n = operation("**", n, right)
	}
	for _, s := range slices.Backward(signs) {
		inner := n
		n = func(e *Env) (Value, error) {
			v, err := inner(e)
			if err != nil {
				return nil, err
			}
			return signed(s, v)
		}
	}
	return n, nil
}

// literal is a number as Python writes it.
func literal(text string) (Value, error) {
	plain := strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(plain, 0, 64); err == nil &&
		(len(plain) == 1 || plain[0] != '0' || !digit(plain[1])) {
		return i, nil
	}
	if len(plain) > 1 && plain[0] == '0' && letter(plain[1]) && plain[1] != 'e' && plain[1] != 'E' {
		return nil, wrong("%q is no number", clip(text))
	}
	if !strings.ContainsAny(plain, ".eE") {
		return nil, wrong("the integer %s has more than 64 bits, or a zero in front", clip(text))
	}
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil && f == 0 {
		return nil, wrong("%q is no number", clip(text))
	}
	return f, nil
}
