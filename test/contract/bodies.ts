import * as z from 'zod';

/** An invalid body, and the member that the error must name, if there is one. */
export interface BadBody {
  what: string;
  body: string | Uint8Array;
  member?: string;
}

const MIB = 1_048_576;
/** Values of every type, from which each member gets one of the wrong type. */
const CANDIDATES: readonly unknown[] = [{ wrong: true }, [[]], 12_345.5, true, null, '\u0000', 'x'.repeat(5_000)];

/** Values that are too deep or too large, made once for all operations. */
const OPEN_NESTING = '['.repeat(100_000);
const CLOSED_NESTING = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
const TWO_MIB = 'x'.repeat(2 * MIB);
const TWO_MIB_OF_ACCENTS = 'é'.repeat(MIB);

/** Texts that no operation accepts as a body, whatever its schema. */
export function badTexts(valid: Record<string, unknown>): BadBody[] {
  const text = JSON.stringify(valid);
  const inner = text.slice(1, -1);
  const [first = '"a":1'] = Object.entries(valid).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const joined = (member: string): string => `{${[inner, member].filter(Boolean).join(',')}}`;
  return [
    { what: 'an open brace', body: '{' },
    { what: 'nothing', body: '' },
    { what: 'a body cut short', body: text.slice(0, -1) },
    { what: 'two bodies', body: `${text}${text}` },
    { what: 'a list', body: '[]' },
    { what: 'a text', body: '"text"' },
    { what: 'null', body: 'null' },
    {
      what: 'bytes that are no UTF-8',
      body: Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0x7d])]),
    },
    { what: 'nesting without end', body: joined(`"deep":${OPEN_NESTING}`) },
    { what: 'closed nesting', body: joined(`"deep":${CLOSED_NESTING}`) },
    { what: 'a member twice', body: `{${first},${first}}` },
    { what: '__proto__', body: joined('"__proto__":{"admin":true}') },
    { what: 'constructor', body: joined('"constructor":{"prototype":{"admin":true}}') },
    { what: 'two MiB', body: joined(`"pad":"${TWO_MIB}"`) },
    { what: 'two MiB in base64', body: Buffer.from(joined(`"pad":"${TWO_MIB_OF_ACCENTS}"`)) },
  ];
}

const topMembers = (issues: readonly z.core.$ZodIssue[]): string[] => issues.map(({ path }) => String(path[0] ?? ''));

/** Bodies in which one member of the schema is missing or of the wrong type. */
export function badMembers(schema: z.ZodType, valid: Record<string, unknown>): BadBody[] {
  const rejectedFor = (body: Record<string, unknown>, member: string): boolean => {
    const { error } = schema.safeParse(body);
    return error !== undefined && topMembers(error.issues).includes(member);
  };
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return [...new Set([...Object.keys(valid), ...known])].flatMap((member) => {
    const { [member]: _, ...without } = valid;
    const missing = rejectedFor(without, member)
      ? [{ what: `${member} missing`, body: JSON.stringify(without), member }]
      : [];
    // Null counts as absence unless the member accepts it.
    const wrong = CANDIDATES.filter((value) => rejectedFor({ ...valid, [member]: value }, member))
      .filter((value) => value !== null || missing.length > 0)
      .map((value) => ({ ...valid, [member]: value }))
      .map((body, at) => ({ what: `${member} wrong (${at + 1})`, body: JSON.stringify(body), member }));
    return [...missing, ...wrong];
  });
}
