import type { JsonSchema } from '../document/format.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { prose } from './prose.ts';
import { type Follow, describeLine, describeType, listMembers, type Member, variantsOf } from './schema.ts';

/** The fields of the parameters of an operation, in its path, query and headers. */
export function listParameters(operation: JsonSchema, follow: Follow): Member[] {
  const parameters = ((operation.parameters ?? []) as JsonSchema[]).map(follow);
  return parameters.map(({ name, in: place, schema, required, description }) => {
    const own = { ...(schema as JsonSchema), ...(description === undefined ? {} : { description }) };
    return describeLine(`${String(name)} (${String(place)})`, own, required === true, follow);
  });
}

/** A shape of a body, with its fields. */
export interface Shape {
  caption: string;
  fields: readonly Member[];
  /** The type in words, for a body that is not an object. */
  type: Member['type'];
}

/** The shapes of a body: one for each variant of its schema. */
export function listShapes(caption: string, schema: JsonSchema, follow: Follow): Shape[] {
  const variants = variantsOf(follow(schema));
  return variants.map((variant, at) => ({
    caption: variants.length === 1 ? caption : `${caption}, ${formatTitle(variant, at, variants)}`,
    fields: listMembers(variant, follow),
    type: describeType(variants.length === 1 ? schema : variant),
  }));
}

/** One of several variants, identified by the constant that distinguishes it, if there is one. */
function formatTitle(variant: JsonSchema, at: number, variants: readonly JsonSchema[]): string {
  const constants = Object.entries((variant.properties ?? {}) as Record<string, JsonSchema>).filter(
    ([name, { const: value }]) =>
      value !== undefined && variants.every((other) => other === variant || constantOf(other, name) !== value),
  );
  const [described] = constants;
  return described === undefined
    ? `shape ${at + 1} of ${variants.length}`
    : `${described[0]} ${JSON.stringify(described[1].const)}`;
}

const constantOf = ({ properties }: JsonSchema, name: string): unknown =>
  (properties as Record<string, JsonSchema> | undefined)?.[name]?.const;

/** The list of the fields of a body or of parameters. */
export function renderFields({ caption, fields, type }: Shape, scope: string): Html {
  if (fields.length === 0) return html`<p>${caption}: ${typeWords(type)}</p>`;
  return html`<section aria-label="${`${caption} of ${scope}`}">
    <h3>${caption}</h3>
    <ul class="fields">
      ${fields.map(renderField)}
    </ul>
  </section>`;
}

const renderField = ({ path, type, required, description, bounds }: Member): Html =>
  html`<li>
    <code>${path}</code> <span class="type">${typeWords(type)}${bounds.length > 0 && `, ${bounds.join(', ')}`}</span>
    ${required && html`<span class="required">required</span>`} ${prose(description)}
  </li>`;

const typeWords = (words: Member['type']): Html =>
  html`${words.map((word) =>
    'schema' in word ? html`<a href="#schema-${word.schema}">${word.schema}</a>` : html`<code>${word.text}</code>`,
  )}`;
