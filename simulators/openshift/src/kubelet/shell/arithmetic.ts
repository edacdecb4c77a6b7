/** Evaluates a `$((...))` expression: integers and C operators without assignments. @throws Error */
export function arithmetic(text: string, variable: (name: string) => string): number {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|<=|>=|==|!=|&&|\|\||[-+*/%<>()!]|\S/g) ?? [];
  let at = 0;
  const levels = [["||"], ["&&"], ["==", "!="], ["<", "<=", ">", ">="], ["+", "-"], ["*", "/", "%"]];
  const unary = (): number => {
    const token = tokens[at++];
    if (token === undefined) throw new Error("arithmetic syntax error");
    if (token === "-") return -unary();
    if (token === "+") return unary();
    if (token === "!") return unary() === 0 ? 1 : 0;
    if (token === "(") {
      const value = binary(0);
      if (tokens[at++] !== ")") throw new Error("arithmetic syntax error");
      return value;
    }
    if (/^\d/.test(token)) return Number(token);
    if (/^\w/.test(token)) return Number.parseInt(variable(token) || "0", 10) || 0;
    throw new Error("arithmetic syntax error");
  };
  const binary = (level: number): number => {
    const operators = levels[level];
    if (!operators) return unary();
    let left = binary(level + 1);
    for (let token = tokens[at]; token !== undefined && operators.includes(token); token = tokens[at]) {
      at++;
      left = apply(token, left, binary(level + 1));
    }
    return left;
  };
  const value = tokens.length === 0 ? 0 : binary(0);
  if (at < tokens.length) throw new Error("arithmetic syntax error");
  return value;
}

function apply(operator: string, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
    case "%":
      if (b === 0) throw new Error("divide by zero");
      return operator === "/" ? Math.trunc(a / b) : a % b;
    case "<":
      return Number(a < b);
    case "<=":
      return Number(a <= b);
    case ">":
      return Number(a > b);
    case ">=":
      return Number(a >= b);
    case "==":
      return Number(a === b);
    case "!=":
      return Number(a !== b);
    case "&&":
      return Number(a !== 0 && b !== 0);
    default:
      return Number(a !== 0 || b !== 0);
  }
}
