import { cutText } from '../../kernel/text.ts';

/** A context as a caller gave it: what a key is for. */
export type Context = Readonly<Record<string, string>>;

/** The entry that puts an object under its organization's own key. */
const ORGANIZATION = 'organization_id';

/** Entries of one context. */
export const MAX_ENTRIES = 10;
/** Bytes of a context as JSON: KMS takes 8,192 with the entries of our own. */
export const MAX_CONTEXT_BYTES = 6_144;

/** Names that KMS or this service itself give to entries. */
const RESERVED = /^(aws|gatehouse):/i;

/** What is wrong with a context, as the end of a sentence; undefined when nothing is. */
export function contextProblem(context: Context): string | undefined {
  const entries = Object.entries(context);
  if (entries.length > MAX_ENTRIES) return `has more than ${MAX_ENTRIES} entries`;
  for (const [name, value] of entries) {
    if (name === '' || value === '') return 'has an entry without a name or without a value';
    if (RESERVED.test(name)) return 'has a name that begins with aws: or gatehouse:, which are reserved';
    if (!name.isWellFormed() || !value.isWellFormed()) return 'has text that is not valid Unicode';
  }
  const bytes = Buffer.byteLength(JSON.stringify(context));
  return bytes > MAX_CONTEXT_BYTES ? `has more than ${MAX_CONTEXT_BYTES} bytes as JSON` : undefined;
}

/** The organization whose own key a context calls for. */
export const organizationOf = (context: Context): string | undefined => context[ORGANIZATION];

/** What a person may call the key of a context by: its entries, shortened to 200 characters. */
export function keyName(context: Context): string {
  const entries = Object.entries(context).map(([name, value]) => `${name}=${value}`);
  return entries.length === 0 ? 'environment' : cutText(entries.sort().join(','), 0, 200);
}

/** The ARN of a KMS key by its id; aliases can be moved, so they name none. */
export const KMS_KEY_ARN = /^arn:aws[a-z-]{0,20}:kms:[a-z0-9-]{5,30}:\d{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f-]{36})$/;
