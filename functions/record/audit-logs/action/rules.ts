import * as z from 'zod';

/**
 * The JSON Schema of metadata. Metadata is flat (texts, numbers and booleans by name), so a schema of it has `properties`
 * whose schemas describe one value each. Keywords that run customer code against each event (`pattern`) or refer elsewhere
 * (`$ref`) are rejected, not ignored: an event must never be accepted because a rule was not understood.
 */
const JsonType = z.enum(['string', 'number', 'integer', 'boolean']);
const scalar = z.union([z.string().max(500), z.number(), z.boolean()]);
const length = z.int().min(0);

const ValueSchema = z
  .strictObject({
    type: z.union([JsonType, z.array(JsonType).min(1)]).optional(),
    enum: z.array(scalar).min(1).max(500).optional(),
    const: scalar.optional(),
    minLength: length.optional(),
    maxLength: length.optional(),
    format: z.enum(['date-time', 'date', 'email', 'uri', 'uuid']).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    exclusiveMaximum: z.number().optional(),
    multipleOf: z.number().positive().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
  })
  .refine((schema) => 'type' in schema || 'enum' in schema || 'const' in schema, 'needs a type, an enum or a const');

const memberName = z.string().regex(/^[a-zA-Z0-9_-]{0,40}$/, 'must be 0 to 40 letters, digits, _ or -');

type ValueSchema = z.output<typeof ValueSchema>;

/** A schema of metadata, with the meaning of JSON Schema 2020-12. */
export const MetadataSchema = z.strictObject({
  $schema: z.string().optional(),
  type: z.literal('object').optional(),
  properties: z
    .record(memberName, ValueSchema)
    .refine((properties) => Object.keys(properties).length <= 50, 'has more than 50 members')
    .optional(),
  required: z.array(memberName).max(50).optional(),
  additionalProperties: z.boolean().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
});
export type MetadataSchema = z.output<typeof MetadataSchema>;

/** The schema of the events of an action. */
export interface EventSchema {
  actor?: { metadata: MetadataSchema } | undefined;
  targets: { type: string; metadata?: MetadataSchema | undefined }[];
  metadata?: MetadataSchema | undefined;
}

type Metadata = Record<string, string | number | boolean>;

/** The members of an event that a schema covers. */
export interface CheckedEvent {
  actor: { metadata?: Metadata | undefined };
  targets: readonly { type: string; metadata?: Metadata | undefined }[];
  metadata?: Metadata | undefined;
}

/** One violation of its schema by an event. */
export interface Violation {
  /** The invalid member as a JSON Pointer (RFC 6901): `/targets/0/metadata/plan`. */
  instancePath: string;
  code: string;
  message: string;
}

/** Finds every violation of the schema by an event; the list is empty for a valid event. */
export type EventCheck = (event: CheckedEvent) => Violation[];

/**
 * Compiles a schema into its check. Compilation takes some milliseconds; the check takes microseconds.
 * @throws Error for a schema that {@link MetadataSchema} would reject
 */
export function compileSchema({ actor, targets, metadata }: EventSchema): EventCheck {
  const actorCheck = compileMetadata(actor?.metadata);
  const targetChecks = new Map(targets.map((target) => [target.type, compileMetadata(target.metadata)]));
  const eventCheck = compileMetadata(metadata);
  const types = [...targetChecks.keys()];
  return (event) => [
    ...actorCheck('/actor/metadata', event.actor.metadata),
    ...event.targets.flatMap(({ type, metadata: own }, at) => {
      const check = targetChecks.get(type);
      if (check !== undefined) return check(`/targets/${at}/metadata`, own);
      return [{ instancePath: `/targets/${at}/type`, code: 'enum', message: `must be one of ${types.join(', ')}` }];
    }),
    ...eventCheck('/metadata', event.metadata),
  ];
}

function compileMetadata(schema: MetadataSchema | undefined): (path: string, value?: Metadata) => Violation[] {
  if (schema === undefined) return () => [];
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const members: Record<string, z.ZodType> = Object.fromEntries(required.map((name) => [name, anyValue]));
  for (const [name, rules] of Object.entries(properties)) {
    members[name] = required.includes(name) ? valueParser(rules) : valueParser(rules).optional();
  }
  const parser = additionalProperties ? z.looseObject(members) : z.strictObject(members);
  return (path, value = {}) => {
    const { error } = parser.safeParse(value);
    return error === undefined ? [] : error.issues.flatMap((issue) => listViolations(path, issue));
  };
}

const anyValue = z.custom((value) => value !== undefined, 'is required');

const FORMATS = {
  'date-time': z.iso.datetime({ offset: true }),
  date: z.iso.date(),
  email: z.email(),
  uri: z.url(),
  uuid: z.uuid(),
} as const;

/** The rules of one value. Length rules apply only to texts and range rules only to numbers, as in JSON Schema. */
function valueParser(rules: ValueSchema): z.ZodType {
  const types = rules.type === undefined ? (['string', 'number', 'boolean'] as const) : [rules.type].flat();
  const parsers = types.map((type) => PARSERS[type](rules));
  const [only] = parsers;
  const parser =
    parsers.length === 1 && only !== undefined ? only : z.union(parsers, `must be a ${types.join(' or a ')}`);
  const allowed =
    rules.const === undefined ? rules.enum : [rules.const].filter((value) => rules.enum?.includes(value) ?? true);
  if (allowed === undefined) return parser;
  return parser.refine((value) => allowed.includes(value as string), `must be ${allowed.join(' or ')}`);
}

const PARSERS = {
  string: ({ minLength = 0, maxLength = Infinity, format }: ValueSchema): z.ZodType =>
    (format === undefined ? z.string() : FORMATS[format])
      .refine((text) => lengthOf(text) >= minLength, `must have at least ${minLength} characters`)
      .refine((text) => lengthOf(text) <= maxLength, `must have at most ${maxLength} characters`),
  number: numberParser,
  integer: (rules: ValueSchema): z.ZodType => numberParser(rules).multipleOf(1, 'must be an integer'),
  boolean: (): z.ZodType => z.boolean(),
} as const;

/** JSON Schema counts code points, so the length of a text is not its number of UTF-16 code units. */
const lengthOf = (text: string): number => [...text].length;

function numberParser(rules: ValueSchema): z.ZodNumber {
  let parser = z.number();
  if (rules.minimum !== undefined) parser = parser.gte(rules.minimum);
  if (rules.maximum !== undefined) parser = parser.lte(rules.maximum);
  if (rules.exclusiveMinimum !== undefined) parser = parser.gt(rules.exclusiveMinimum);
  if (rules.exclusiveMaximum !== undefined) parser = parser.lt(rules.exclusiveMaximum);
  return rules.multipleOf === undefined ? parser : parser.multipleOf(rules.multipleOf);
}

function listViolations(path: string, issue: z.core.$ZodIssue): Violation[] {
  const at = [path, ...issue.path.map((step) => pointerStep(String(step)))].join('/');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      instancePath: `${at}/${pointerStep(key)}`,
      code: 'additionalProperties',
      message: 'is not a member that the schema knows',
    }));
  }
  const isMissing = issue.message === 'is required' || issue.message.endsWith('received undefined');
  return [
    {
      instancePath: at,
      code: isMissing ? 'required' : issue.code,
      message: isMissing ? 'is required' : issue.message.charAt(0).toLowerCase() + issue.message.slice(1),
    },
  ];
}

/** Escapes one step of a JSON Pointer (RFC 6901 section 3). */
const pointerStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
