/** Random numbers in [0, 1) that are the same in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PREFIXES = ['', 'a', 'B', 'b', 'Z', 'ds2', 'dS2', 'ns10', 'ns9', 'x-1', 'x_1'];
const NAMESPACES = ['urn:a', 'urn:a:b', 'urn:ab', 'http://example.com/?x=1', 'urn:c:d', 'URN:A'];
const TEXTS = [
  '',
  'text',
  ' a\tb\n',
  'Zoë \u{1F9D1}\u200D\u{1F680}',
  '&amp;&lt;&gt;"\'',
  '&#13;&#10;&#9;',
  '\r\n',
  ']]&gt;',
  '<!-- c -->',
  '&#x1F600;&#233;',
  '\u00A0',
];
const VALUES = ['', 'v', '&lt;&amp;&quot;&apos;>', ' \t\r\n x', '&#9;&#10;&#13;', 'Zoë \u{1F511}', '&#x2028;'];
const LOCALS = ['e', 'E', 'f', 'element.1', 'x-y_z'];

/**
 * A line separator, or a CDATA section: a document contains only one of them, because the parser would otherwise need to
 * change the section.
 */
const EITHER = ['\u2028\u0085', '<![CDATA[a<b>&"]]>'];

/** Namespaces by prefix. */
type Scope = Readonly<Record<string, string>>;

/** A random document, in whose middle is the element with the ID `_target`. */
export function makeDocument(seed: number): string {
  const next = randomNumbers(seed);
  const below = (bound: number): number => Math.floor(next() * bound);
  const pick = <T>(values: readonly [T, ...T[]] | readonly T[]): T => values[below(values.length)] as T;

  const texts = [...TEXTS, EITHER[seed % 2] ?? ''];

  /** The namespace declarations of an element: prefixes are bound, bound again to another namespace, or not used at all. */
  const declare = (scope: Scope): Scope => {
    const declared: Record<string, string> = {};
    for (let count = below(4); count > 0; count -= 1) {
      const prefix = pick(PREFIXES);
      // Only the default namespace can be undeclared.
      declared[prefix] = prefix === '' && next() < 0.3 ? '' : pick(NAMESPACES);
    }
    for (const [prefix, namespace] of Object.entries(declared)) {
      if (scope[prefix] === namespace && next() < 0.5) delete declared[prefix];
    }
    return declared;
  };

  const attributes = (scope: Scope, declared: Scope): string => {
    const written = new Map<string, string>();
    for (const [prefix, namespace] of Object.entries(declared)) {
      written.set(prefix === '' ? 'xmlns' : `xmlns:${prefix}`, `"${namespace}"`);
    }
    const expanded = new Set<string>();
    for (let count = below(4); count > 0; count -= 1) {
      const prefix = pick(
        Object.keys(scope)
          .filter((one) => one !== '')
          .concat(''),
      );
      const local = pick(LOCALS);
      const key = `${prefix === '' ? '' : scope[prefix]} ${local}`;
      if (expanded.has(key)) continue;
      expanded.add(key);
      const value = pick(VALUES);
      written.set(
        prefix === '' ? local : `${prefix}:${local}`,
        value.includes('"') || next() < 0.7 ? `"${value}"` : `'${value.replaceAll("'", '')}'`,
      );
    }
    if (next() < 0.15) written.set('xml:lang', '"de"');
    const shuffled = [...written].map(([name, value]) => ({
      text: `${pick([' ', '\n ', '  '])}${name}=${value}`,
      at: next(),
    }));
    return shuffled
      .toSorted((left, right) => left.at - right.at)
      .map(({ text }) => text)
      .join('');
  };

  const write = (outer: Scope, depth: number, targetAt: number): string => {
    const declared = declare(outer);
    const scope: Scope = { ...outer, ...declared };
    const prefix = pick(Object.keys(scope).concat(''));
    const name = prefix === '' ? pick(LOCALS) : `${prefix}:${pick(LOCALS)}`;
    const id = targetAt === 0 ? ' ID="_target"' : '';
    const parts: string[] = [];
    for (let count = below(depth === 0 ? 1 : 4); count > 0; count -= 1) {
      parts.push(pick(texts), depth === 0 ? '' : write(scope, depth - 1, -1));
    }
    if (targetAt > 0) parts.splice(below(parts.length + 1), 0, write(scope, 4, targetAt - 1));
    const content = parts.join('');
    const start = `<${name}${id}${attributes(scope, declared)}`;
    return content === '' && next() < 0.5 ? `${start}/>` : `${start}>${content}</${name}>`;
  };

  return `<?xml version="1.0" encoding="UTF-8"?>\n${write({}, 2, below(3))}\n`;
}
