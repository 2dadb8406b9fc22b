import { cutText } from '../../../kernel/text.ts';

/** A context in a request, which names the purpose of a key. */
export type Context = Readonly<Record<string, string>>;

/** The context entry by which an object is encrypted with the key of its organization. */
export const ORGANIZATION = 'organization_id';

/** Maximum entries of one context. */
export const MAX_ENTRIES = 10;
/** Maximum bytes of a context as JSON. KMS accepts 8,192 together with the service's own entries. */
const MAX_CONTEXT_BYTES = 6_144;

/** Names of entries that only KMS or this service may use. */
const RESERVED = /^(aws|gatehouse):/i;

/** Describes what is wrong with a context, in words that end a sentence. Returns undefined for a valid one. */
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

/** The organization whose own key a context requires. */
export const organizationOf = (context: Context): string | undefined => context[ORGANIZATION];

/** A readable name for the key of a context: its entries, shortened to 200 characters. */
export function keyName(context: Context): string {
  const entries = Object.entries(context).map(([name, value]) => `${name}=${value}`);
  return entries.length === 0 ? 'environment' : cutText(entries.sort().join(','), 0, 200);
}

/** The ARN of a KMS key by its id. Aliases are not used, because they can be moved to another key. */
export const KMS_KEY_ARN = /^arn:aws[a-z-]{0,20}:kms:[a-z0-9-]{5,30}:\d{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f-]{36})$/;

const MULTI_REGION_KEY_ID = /^mrk-[0-9a-f]{32}$/;

/** Reports whether a text names a KMS key as wrapped data keys do: a customer's by its ARN, an organization's own by its id. */
export const isRoot = (text: string): boolean => KMS_KEY_ARN.test(text) || MULTI_REGION_KEY_ID.test(text);
