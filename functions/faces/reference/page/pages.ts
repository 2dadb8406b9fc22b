import type { OpenApiDocument } from '../document/format.ts';
import { Html, html } from '../../../kernel/pages/html.ts';
import type { Examples } from '../examples/recorded.ts';
import { GUIDES } from '../guides/list.ts';
import type { RenderedGuide } from '../guides/render.ts';
import {
  type Described,
  readNavigation,
  type Resource,
  resourceAddress,
  type Section,
} from '../navigation/navigation.ts';
import { listShapes, renderFields } from './bodies.ts';
import { type ErrorCode, listErrorCodes } from './errors.ts';
import { type EventType, listEventTypes } from './events.ts';
import { renderExample } from './example.ts';
import { type Link, page } from './layout.ts';
import { operationSection } from './operation.ts';
import { errorNote, eventNote, MANY_OPERATIONS } from './notes.ts';
import { phrase, prose } from './prose.ts';
import { follower, reachedFrom } from './schema.ts';

/** The content from which all pages are made. */
export interface Content {
  document: OpenApiDocument;
  guides: ReadonlyMap<string, RenderedGuide>;
  examples: Examples;
}

const HOME: Link = { title: 'Reference', address: '/docs' };

/** The page of a resource: its operations, then the schemas that they refer to. */
export function resourcePage(content: Content, area: string, slug: string, baseUrl: string): string | undefined {
  const { document, examples } = content;
  const navigation = readNavigation(document);
  const all = navigation.sections.flatMap(({ resources }) => resources);
  const at = all.findIndex((resource) => resource.area === area && resource.slug === slug);
  const [resource, section] = [all[at], navigation.sections.find(({ name }) => name === area)];
  if (resource === undefined || section === undefined) return undefined;
  const follow = follower(document.components);
  const named = reachedFrom(
    resource.operations.map(({ operation }) => operation),
    follow,
  );
  const surroundings = { baseUrl, follow, examples };
  return page({
    title: resource.title,
    crumbs: [HOME, { title: section.title, address: `/docs/${area}` }],
    navigation,
    address: resourceAddress(resource),
    hasMarkdown: true,
    before: asLink(all[at - 1]),
    after: asLink(all[at + 1]),
    content: html`${resource.operations.length > 1 && operationList(resource.operations, '#')}
    ${resource.operations.map((operation) => operationSection(operation, surroundings))}
    ${named.length > 0 && html`<h2 id="schemas">Schemas</h2>`}
    ${named.map(
      (name) =>
        html`<section aria-labelledby="schema-${name}">
          <h3 id="schema-${name}">${name}</h3>
          ${prose(document.components.schemas?.[name]?.description as string | undefined)}
          ${listShapes('Fields', document.components.schemas?.[name] ?? {}, follow).map((shape) =>
            renderFields(shape, name),
          )}
        </section>`,
    )}`,
  });
}

const asLink = (resource: Resource | undefined): Link | undefined =>
  resource && { title: resource.title, address: resourceAddress(resource) };

function operationList(operations: readonly Described[], prefix: string): Html {
  return html`<ul class="operations">
    ${operations.map(
      ({ id, method, path, operation }) =>
        html`<li>
          <a href="${prefix}${id}">${String(operation.summary)}</a>
          <span class="method">${method}</span> <code>${path}</code>
        </li>`,
    )}
  </ul>`;
}

/** The page of an area: its resources with their operations. */
export function areaPage({ document, guides }: Content, area: string): string | undefined {
  const navigation = readNavigation(document);
  const section = navigation.sections.find(({ name }) => name === area);
  if (section === undefined) return undefined;
  const { title, description, resources } = section;
  return page({
    title,
    crumbs: [HOME],
    navigation,
    address: `/docs/${area}`,
    hasMarkdown: true,
    content: html`<p>${phrase(description)}.</p>
      ${guides.has(area) && html`<p><a href="/docs/guides/${area}">Guide: ${title}</a></p>`}
      ${resources.map(
        (resource) =>
          html`<section aria-labelledby="${resource.slug}">
            <h2 id="${resource.slug}"><a href="${resourceAddress(resource)}">${resource.title}</a></h2>
            ${operationList(resource.operations, `${resourceAddress(resource)}#`)}
          </section>`,
      )}`,
  });
}

/** The first page: where to begin, and every resource by area. */
export function overviewPage({ document }: Content): string {
  const navigation = readNavigation(document);
  return page({
    title: 'Gatehouse reference',
    navigation,
    address: '/docs',
    hasMarkdown: true,
    content: html`${prose(document.info.description)}
      <h2 id="guides">Guides</h2>
      <ul class="cards">
        ${GUIDES.map(({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`)}
        <li><a href="/docs/errors">All error codes</a></li>
        <li><a href="/docs/event-types">All events with their payloads</a></li>
      </ul>
      ${navigation.groups.map(
        ({ title, sections }) =>
          html`<h2>${title}</h2>
            <ul class="cards">
              ${sections.map(areaCard)}
            </ul>`,
      )}`,
  });
}

const areaCard = ({ name, title, description, resources }: Section): Html =>
  html`<li>
    <a href="/docs/${name}"><strong>${title}</strong></a>
    <p>${phrase(description)}</p>
    <ul>
      ${resources.map((resource) => html`<li><a href="${resourceAddress(resource)}">${resource.title}</a></li>`)}
    </ul>
  </li>`;

/** The page of a guide. */
export function guidePage({ document, guides }: Content, name: string): string | undefined {
  const guide = guides.get(name);
  if (guide === undefined) return undefined;
  const navigation = readNavigation(document);
  const at = GUIDES.findIndex((each) => each.name === name);
  const neighbour = (step: number): Link | undefined => {
    const found = at < 0 ? undefined : GUIDES[at + step];
    return found && { title: found.title, address: `/docs/guides/${found.name}` };
  };
  return page({
    title: guide.title,
    crumbs: [HOME, { title: 'Guides', address: '/docs#guides' }],
    navigation,
    address: `/docs/guides/${name}`,
    hasMarkdown: true,
    before: neighbour(-1),
    after: neighbour(1),
    // The renderer of guides escapes all text of the Markdown file.
    content: html`<div class="guide">${new Html(guide.html)}</div>`,
  });
}

/** The list of all error codes. */
export function errorsPage({ document }: Content): string {
  const codes = [...listErrorCodes(document).values()];
  return page({
    title: 'Errors',
    crumbs: [HOME],
    navigation: readNavigation(document),
    address: '/docs/errors',
    hasMarkdown: true,
    content: html`<p>How errors look and when to retry: <a href="/docs/guides/errors">Errors and retries</a>.</p>
      <ul class="fields">
        ${codes.map(
          ({ code, statuses, messages: [first] }) =>
            html`<li>
              <a href="/docs/errors/${code}"><code>${code}</code></a> <span class="muted">${statuses.join(', ')}</span>
              <p>${phrase(first?.message ?? '')}</p>
            </li>`,
        )}
      </ul>`,
  });
}

/** The page of an error code: its meanings, and the operations that respond with it. */
export function errorPage({ document }: Content, code: string): string | undefined {
  const found: ErrorCode | undefined = listErrorCodes(document).get(code);
  if (found === undefined) return undefined;
  const navigation = readNavigation(document);
  return page({
    title: code,
    crumbs: [HOME, { title: 'Errors', address: '/docs/errors' }],
    navigation,
    address: `/docs/errors/${code}`,
    hasMarkdown: true,
    content: html`${found.messages.map(
        ({ status, message, operations }) =>
          html`<p>Status ${status}: <strong>${phrase(message)}</strong></p>
            ${renderOperations(operations, navigation.addresses)}`,
      )}
      ${prose(errorNote(code))}
      <p>Whether to repeat a call: <a href="/docs/guides/errors">Errors and retries</a>.</p>`,
  });
}

/** The operations that respond with an error, unless they are nearly all. */
const renderOperations = (operations: readonly Described[], addresses: ReadonlyMap<string, string>): Html =>
  operations.length >= MANY_OPERATIONS
    ? html`<p>${operations.length} operations may respond with it.</p>`
    : html`<ul class="operations">
        ${operations.map((described) => operationLink(described, addresses))}
      </ul>`;

const operationLink = ({ id, method, path, operation }: Described, addresses: ReadonlyMap<string, string>): Html =>
  html`<li>
    <a href="${addresses.get(id) ?? '/docs'}">${String(operation.summary)}</a>
    <span class="method">${method}</span> <code>${path}</code>
  </li>`;

/** The list of all events. */
export function eventsPage({ document }: Content): string {
  const families = Map.groupBy(listEventTypes(document).values(), ({ name }) => name.split('.')[0] ?? name);
  return page({
    title: 'Events',
    crumbs: [HOME],
    navigation: readNavigation(document),
    address: '/docs/event-types',
    hasMarkdown: true,
    content: html`<p>
        Read them by <a href="/docs/events/events">polling</a>, or receive them at a
        <a href="/docs/guides/webhook-signatures">webhook endpoint</a>. A webhook endpoint cannot subscribe to those
        with the mark “only polling”.
      </p>
      ${[...families].map(
        ([family, types]) =>
          html`<h2 id="${family}">${family}</h2>
            <ul class="operations">
              ${types.map(
                ({ name, isSubscribable }) =>
                  html`<li>
                    <a href="/docs/event-types/${name}"><code>${name}</code></a>
                    ${isSubscribable ? '' : html`<span class="kind">only polling</span>`}
                  </li>`,
              )}
            </ul>`,
      )}`,
  });
}

/** An event as it is delivered: a recorded one if there is one, otherwise made from its schema. */
export function exampleEvent({ document, examples }: Content, { name, data }: EventType): unknown {
  return (
    examples.events[name] ?? {
      object: 'event',
      id: 'event_01JZ8Y0V5W7N3T2K4M6P9Q1R2S',
      event: name,
      data: renderExample(data, follower(document.components)),
      created_at: '2026-01-15T12:00:00.000Z',
      context: { actor: { id: 'system', source: 'system', name: null } },
    }
  );
}

/** The text about repetitions of every page of an event that webhooks deliver. */
const REPETITION =
  'A webhook delivers the event at least once, with the same `id` in every attempt: retries come for up to four days, a resend for as long as the event is ' +
  'stored, which is 90 days unless the operator of the stage set another time. Ignore an `id` that you have handled before: ' +
  '[How long to keep event ids](/docs/guides/webhook-signatures#how-long-to-keep-event-ids).';

/** The text of the page of an event about the way in which it is received. */
export const receptionNote = ({ isSubscribable }: EventType): string =>
  isSubscribable
    ? REPETITION
    : 'A webhook endpoint cannot subscribe to this event. Read it with [`GET /events`](/docs/events/events).';

/** The text of every event page about the members of the event that are not its payload. */
export const CONTEXT =
  'The list of events and the body of a webhook have the same event. Its `context` says who caused it: `actor` has an `id`, a `source` and a `name`. ' +
  'For an update, `previous_attributes` has the former values of the members that changed, where they are known.';

/** The page of an event: its payload, and the operations that emit it. */
export function eventPage(content: Content, name: string): string | undefined {
  const { document } = content;
  const found = listEventTypes(document).get(name);
  if (found === undefined) return undefined;
  const navigation = readNavigation(document);
  const follow = follower(document.components);
  const named = reachedFrom([found.data], follow);
  return page({
    title: name,
    crumbs: [HOME, { title: 'Events', address: '/docs/event-types' }],
    navigation,
    address: `/docs/event-types/${name}`,
    hasMarkdown: true,
    content: html`<div class="example">
        <div class="bar"><span class="title">Example</span></div>
        <pre
          tabindex="0"
          aria-label="${`Example of ${name}`}"
        ><code>${JSON.stringify(exampleEvent(content, found), null, 2)}</code></pre>
      </div>
      ${prose(eventNote(name))} ${prose(CONTEXT)} ${prose(receptionNote(found))}
      <h2>Payload</h2>
      ${listShapes('data', found.data, follow).map((shape) => renderFields(shape, name))}
      ${named.map(
        (schema) =>
          html`<section aria-labelledby="schema-${schema}">
            <h3 id="schema-${schema}">${schema}</h3>
            ${listShapes('Fields', document.components.schemas?.[schema] ?? {}, follow).map((shape) =>
              renderFields(shape, schema),
            )}
          </section>`,
      )}
      <h2>Emitted by</h2>
      ${
        found.operations.length === 0
          ? html`<p>Work in the background, or requests of browsers on the hosted pages.</p>`
          : html`<ul class="operations">
              ${found.operations.map((described) => operationLink(described, navigation.addresses))}
            </ul>`
      }`,
  });
}
