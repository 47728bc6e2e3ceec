// Makes a minified script compress better. The order of its functions and the letters of its variables mean nothing to a browser
// and a lot to gzip, so both are varied until the script is small enough.
import { gzipSync } from 'node:zlib';
import { parseAst } from 'rolldown/parseAst';

const LETTERS = Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_');
const START = Buffer.from('{let ');
const COMMA = Buffer.from(',');
const SEMICOLON = Buffer.from(';');
const END = Buffer.from('}\n');

/** @typedef {{ parent: Scope | null, variables: Map<string, Variable> }} Scope */
/** @typedef {{ name: string, scope: Scope, places: number[], seenIn: Set<Scope> }} Variable */
/** @typedef {any} Node */
/** @typedef {[start: number, end: number]} Part */
/** @typedef {{ order: Part[], names: number[] }} Draft */

/**
 * The script as a block, which keeps `let` to itself like a function would, at most as large as asked for if that is found within
 * this many tries. None of its functions runs before all are there.
 *
 * @param {string} code
 * @param {{ maxGzipBytes: number, tries: number }} limits
 */
export function shrink(code, { maxGzipBytes, tries }) {
  const script = code.replaceAll('const ', 'let ');
  const { functions, values, statements } = partsOf(script);
  const variables = variablesIn(script).filter(({ name }) => name.length === 1);
  const rivals = variables.map((one) => variables.flatMap((other, index) => (clash(one, other) ? [index] : [])));

  const source = Buffer.from(script);
  if (source.length !== script.length) throw new Error('The script has characters that are not ASCII');
  /** @param {Draft} draft */
  const write = ({ order, names }) => {
    for (const [index, { places }] of variables.entries())
      for (const place of places) source[place] = Number(names[index]);
    const cut = (/** @type {Part} */ [start, end]) => source.subarray(start, end);
    const separated = [...order, ...values].flatMap((part) => [COMMA, cut(part)]).slice(1);
    return Buffer.concat([START, ...separated, SEMICOLON, ...statements.map(cut), END]);
  };
  const sizeOf = (/** @type {Draft} */ draft) => gzipSync(write(draft), { level: 9 }).length;

  // A generator that always draws the same, so that every build of a release has the same bytes.
  let drawn = 7;
  const draw = (/** @type {number} */ below) => {
    drawn = (Math.imul(drawn, 1103515245) + 12345) & 0x7fffffff;
    return (drawn >> 8) % below;
  };
  /** @type {Draft} */
  let best = { order: functions, names: variables.map(({ name }) => name.charCodeAt(0)) };
  let size = sizeOf(best);
  for (let tried = 0; tried < tries && size > maxGzipBytes; tried += 1) {
    const next =
      draw(4) === 0
        ? { ...best, order: moved(best.order, draw) }
        : { ...best, names: renamed(best.names, rivals, draw) };
    const nextSize = sizeOf(next);
    if (nextSize <= size) [best, size] = [next, nextSize];
  }
  return write(best);
}

/**
 * @param {Part[]} order
 * @param {(below: number) => number} draw
 */
function moved(order, draw) {
  const from = draw(order.length);
  return order.toSpliced(from, 1).toSpliced(draw(order.length), 0, /** @type {Part} */ (order[from]));
}

/**
 * Gives one variable another letter. Variables that would be confused with it get the one that it had.
 *
 * @param {number[]} before
 * @param {number[][]} rivals
 * @param {(below: number) => number} draw
 */
function renamed(before, rivals, draw) {
  const names = [...before];
  const first = draw(names.length);
  /** @type {[number, number][]} */
  const changes = [[first, Number(LETTERS[draw(LETTERS.length)])]];
  const changed = new Set();
  for (let change = changes.pop(); change; change = changes.pop()) {
    const [index, letter] = change;
    if (changed.has(index)) continue;
    changed.add(index);
    const had = Number(names[index]);
    names[index] = letter;
    for (const rival of rivals[index] ?? []) if (names[rival] === letter) changes.push([rival, had]);
  }
  const isConfused = [...changed].some((index) => rivals[index]?.some((rival) => names[rival] === names[index]));
  return isConfused ? before : names;
}

/** Where the functions, the other values and the statements of a script are. */
function partsOf(/** @type {string} */ script) {
  /** @type {Record<'functions' | 'values' | 'statements', Part[]>} */
  const parts = { functions: [], values: [], statements: [] };
  for (const node of parseAst(script).body) {
    const declared = node.type === 'VariableDeclaration' ? node.declarations : [node];
    for (const part of declared) {
      const kind = part.type !== 'VariableDeclarator' ? 'statements' : isFunction(part.init) ? 'functions' : 'values';
      parts[kind].push([part.start, part.end]);
    }
  }
  return parts;
}

const isFunction = (/** @type {Node} */ node) => /^(ArrowFunction|Function)Expression$/.test(node?.type);

/** Two variables cannot have the same name where one would hide the other from code that means it. */
function clash(/** @type {Variable} */ one, /** @type {Variable} */ other) {
  return one !== other && (other.seenIn.has(one.scope) || one.seenIn.has(other.scope));
}

/** Every variable of a script, where its name stands, and the scopes between its declaration and its uses. */
function variablesIn(/** @type {string} */ script) {
  /** @type {Variable[]} */
  const variables = [];
  /** @type {{ name: string, place: number, scope: Scope }[]} */
  const uses = [];

  const declare = (/** @type {Node} */ pattern, /** @type {Scope} */ scope) => {
    if (pattern?.type === 'Identifier') {
      const variable = { name: pattern.name, scope, places: [], seenIn: new Set([scope]) };
      variables.push(variable);
      scope.variables.set(pattern.name, variable);
    } else if (pattern) {
      const { properties = [], elements = [], left, argument, value } = pattern;
      for (const part of [...properties, ...elements, left, argument, value]) declare(part, scope);
    }
  };

  const visit = (
    /** @type {Node} */ node,
    /** @type {Scope} */ outer,
    /** @type {Node} */ parent,
    /** @type {string} */ role,
  ) => {
    if (Array.isArray(node)) for (const part of node) visit(part, outer, parent, role);
    if (typeof node?.type !== 'string') return;
    if (node.type === 'Identifier') {
      const isProperty =
        (parent.type === 'MemberExpression' && role === 'property') || (parent.type === 'Property' && role === 'key');
      if (!isProperty || parent.computed) uses.push({ name: node.name, place: node.start, scope: outer });
      return;
    }
    const scope = /^(Program|BlockStatement|For.*Statement|.*FunctionExpression|CatchClause)$/.test(node.type)
      ? { parent: outer, variables: new Map() }
      : outer;
    if (isFunction(node)) for (const parameter of node.params) declare(parameter, scope);
    const declared = Array.isArray(node.body) ? node.body : [node.init, node.left];
    for (const part of scope === outer ? [] : declared) {
      if (part?.type === 'VariableDeclaration') for (const { id } of part.declarations) declare(id, scope);
    }
    if (node.type === 'CatchClause') declare(node.param, scope);
    for (const [part, value] of Object.entries(node)) visit(value, scope, node, part);
  };
  const outermost = { parent: null, variables: new Map() };
  visit(parseAst(script), outermost, {}, '');

  for (const { name, place, scope } of uses) {
    /** @type {Scope[]} */
    const between = [];
    /** @type {Scope | null} */
    let at = scope;
    while (at && !at.variables.has(name)) {
      between.push(at);
      at = at.parent;
    }
    const variable = at?.variables.get(name);
    variable?.places.push(place);
    for (const passed of between) variable?.seenIn.add(passed);
  }
  return variables;
}
