import { listExecutedCode, minimalExample, requestText } from '../examples/tabs.ts';
import { whyUnexecuted } from '../examples/unexecuted.ts';
import { GUIDES } from '../guides/list.ts';
import { type Described, readNavigation, resourceAddress } from '../navigation/navigation.ts';
import { listParameters, listShapes, type Shape } from './bodies.ts';
import { listErrorCodes, listErrors } from './errors.ts';
import { listEventTypes } from './events.ts';
import type { JsonSchema } from '../document/format.ts';
import { errorNote, eventNote, MANY_OPERATIONS } from './notes.ts';
import { CONTEXT, type Content, exampleEvent, receptionNote } from './pages.ts';
import { findBodySchema, findJsonSuccess, type Follow, follower, type Member, reachedFrom } from './schema.ts';

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
const json = (value: unknown): string => fence('json', JSON.stringify(value, null, 2));
const blocks = (...parts: readonly (string | false | undefined)[]): string =>
  `${parts.filter((part) => part !== undefined && part !== false && part !== '').join('\n\n')}\n`;

/** The page of a resource as Markdown. */
export function resourceMarkdown(content: Content, area: string, slug: string, baseUrl: string): string | undefined {
  const { document } = content;
  const section = readNavigation(document).sections.find(({ name }) => name === area);
  const resource = section?.resources.find((each) => each.slug === slug);
  if (resource === undefined) return undefined;
  const follow = follower(document.components);
  const named = reachedFrom(
    resource.operations.map(({ operation }) => operation),
    follow,
  );
  return blocks(
    `# ${resource.title}`,
    ...resource.operations.map((described) => operationMarkdown(described, content, follow, baseUrl)),
    named.length > 0 && '## Schemas',
    ...named.flatMap((name) => [
      `### ${name}`,
      ...listShapes('Fields', document.components.schemas?.[name] ?? {}, follow).map(shapeMarkdown),
    ]),
  );
}

function operationMarkdown(described: Described, { examples }: Content, follow: Follow, baseUrl: string): string {
  const { id, method, path, operation } = described;
  const body = findBodySchema(operation);
  const parameters = listParameters(operation, follow);
  const example = examples.operations[id];
  const errors = listErrors(operation, follow);
  const code = example === undefined ? [] : listExecutedCode(described, example, baseUrl, examples.executed);
  const reason = whyUnexecuted(described);
  return blocks(
    `## ${String(operation.summary)}`,
    `\`${method} ${path}\` (${id})`,
    operation.description as string | undefined,
    parameters.length > 0 && shapeMarkdown({ caption: 'Parameters', fields: parameters, type: [] }),
    ...(body === undefined ? [] : listShapes('Request body', body, follow).map(shapeMarkdown)),
    ...responseShapes(operation, follow).map(shapeMarkdown),
    errors.length > 0 &&
      `### Errors\n\n${errors.map(({ status, code, message }) => `- ${status} \`${code}\`: ${message}`).join('\n')}`,
    ...(code.length > 0
      ? code.map(([language, text]) => fence(language === 'curl' ? 'sh' : language.toLowerCase(), text))
      : [fence('http', requestText(described, example ?? minimalExample(described, follow)))]),
    reason !== undefined && `The values of this request are placeholders. ${reason}`,
    example?.response !== undefined && `Response ${example.status}:\n\n${json(example.response)}`,
  ).trim();
}

function responseShapes(operation: JsonSchema, follow: Follow): Shape[] {
  const success = findJsonSuccess(operation, follow);
  return success === undefined ? [] : listShapes(`Response ${success.status}`, success.schema, follow);
}

const typeText = (type: Member['type']): string =>
  type.map((word) => ('schema' in word ? word.schema : word.text)).join('');

function shapeMarkdown({ caption, fields, type }: Shape): string {
  if (fields.length === 0) return `${caption}: ${typeText(type)}`;
  const lines = fields.map(({ path, type: own, required, bounds, description }) => {
    const rules = [typeText(own), ...(required ? ['required'] : []), ...bounds].join(', ');
    return `- \`${path}\` (${rules})${description === undefined ? '' : `: ${description.replaceAll('\n', ' ')}`}`;
  });
  return `### ${caption}\n\n${lines.join('\n')}`;
}

/** The page of an area as Markdown: links to its resources with their operations. */
export function areaMarkdown({ document }: Content, area: string, baseUrl: string): string | undefined {
  const section = readNavigation(document).sections.find(({ name }) => name === area);
  if (section === undefined) return undefined;
  return blocks(
    `# ${section.title}`,
    `${section.description}.`,
    ...section.resources.map(
      (resource) =>
        `## [${resource.title}](${baseUrl}${resourceAddress(resource)}.md)\n\n${resource.operations
          .map(({ method, path, operation }) => `- ${String(operation.summary)}: \`${method} ${path}\``)
          .join('\n')}`,
    ),
  );
}

export const guideMarkdown = ({ guides }: Content, name: string): string | undefined => guides.get(name)?.markdown;

/** Renders all error codes, or a given one, as Markdown. */
export function errorsMarkdown({ document }: Content, code?: string): string | undefined {
  const all = listErrorCodes(document);
  if (code !== undefined && !all.has(code)) return undefined;
  const listed = [...all.values()].filter((each) => code === undefined || each.code === code);
  return blocks(
    '# Errors',
    ...listed.flatMap((each) => [
      `## ${each.code}\n\nStatus ${each.statuses.join(', ')}.\n\n${each.messages
        .map(({ status, message, operations }) => `- ${status}: ${message} (${nameOperations(operations)})`)
        .join('\n')}`,
      errorNote(each.code),
    ]),
  );
}

const nameOperations = (operations: readonly Described[]): string =>
  operations.length >= MANY_OPERATIONS ? `${operations.length} operations` : operations.map(({ id }) => id).join(', ');

/** The list of all events, or one of them with its payload, as Markdown. */
export function eventsMarkdown(content: Content, name?: string): string | undefined {
  const all = listEventTypes(content.document);
  if (name === undefined) {
    const listed = [...all.values()].map((each) => `- ${each.name}${each.isSubscribable ? '' : ' (only polling)'}`);
    return blocks(
      '# Events',
      'A webhook endpoint cannot subscribe to those with the mark “only polling”: read them with `GET /events`.',
      listed.join('\n'),
    );
  }
  const found = all.get(name);
  if (found === undefined) return undefined;
  const follow = follower(content.document.components);
  return blocks(
    `# ${name}`,
    json(exampleEvent(content, found)),
    eventNote(name),
    CONTEXT,
    receptionNote(found),
    ...listShapes('data', found.data, follow).map(shapeMarkdown),
    found.operations.length > 0 && `Emitted by: ${found.operations.map(({ id }) => id).join(', ')}.`,
  );
}

/** The list of all pages for language models, as https://llmstxt.org describes it. */
export function llmsText({ document, guides }: Content, baseUrl: string): string {
  const { groups } = readNavigation(document);
  const listed = new Set([
    ...GUIDES.map(({ name }) => name),
    ...groups.flatMap(({ sections }) => sections.map(({ name }) => name)),
  ]);
  const link = (title: string, address: string, more = ''): string => `- [${title}](${baseUrl}${address}.md)${more}`;
  return blocks(
    '# Gatehouse',
    `> ${document.info.description.split('. ')[0] ?? ''}.`,
    `The OpenAPI document is at ${baseUrl}/openapi.json. Every page of the reference is Markdown under its address with \`.md\`.`,
    `## Guides\n\n${GUIDES.map(({ name, title }) => link(title, `/docs/guides/${name}`)).join('\n')}`,
    ...groups.map(
      ({ title, sections }) =>
        `## ${title}\n\n${sections
          .flatMap(({ name, title: area, description, resources }) => [
            link(area, `/docs/${name}`, `: ${description}`),
            ...(guides.has(name) ? [link(`Guide: ${area}`, `/docs/guides/${name}`)] : []),
            ...resources.map((resource) => link(`${area}: ${resource.title}`, resourceAddress(resource))),
          ])
          .join('\n')}`,
    ),
    `## More guides\n\n${[...guides.values()]
      .filter(({ name }) => !listed.has(name))
      .map(({ name, title }) => link(title, `/docs/guides/${name}`))
      .join('\n')}`,
    `## Errors and events\n\n${link('All error codes', '/docs/errors')}\n${link('All events', '/docs/event-types')}`,
  );
}
