import * as z from 'zod';

import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { operation } from '../../../kernel/operation.ts';
import { settings } from '../../../kernel/settings.ts';
import { cachedReply } from '../document/cached.ts';
import { readContent } from '../document/content.ts';
import { resultsPage } from '../search/results-page.ts';
import { searchIndex } from '../search/search-index.ts';
import {
  areaMarkdown,
  errorsMarkdown,
  eventsMarkdown,
  guideMarkdown,
  llmsText,
  resourceMarkdown,
} from './as-markdown.ts';
import { CONTENT_SECURITY_POLICY } from './layout.ts';
import {
  areaPage,
  type Content,
  errorPage,
  errorsPage,
  eventPage,
  eventsPage,
  guidePage,
  overviewPage,
  resourcePage,
} from './pages.ts';

const Page = z.string().meta({ contentMediaType: 'text/html' });

const SHARED_HEADERS = {
  // The calls on a page contain the request's host, so no shared cache may store it.
  'cache-control': 'private, no-cache',
  vary: 'Accept',
};

const PAGE_HEADERS = {
  ...SHARED_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
};

const MARKDOWN_HEADERS = { ...SHARED_HEADERS, 'content-type': 'text/markdown; charset=utf-8' };

const noSuchPage = {
  ...notFound('page of the reference'),
  message: 'There is no such page of the reference. Search for it at /docs.',
};

export const getOverviewPage = operation({
  id: 'reference.overview',
  method: 'GET',
  path: '/docs',
  summary: 'Read the reference',
  description:
    'Returns the first page, or with `q` the results of a search over operations, fields, errors, events and guides.',
  auth: anyCaller,
  beyondContract: true,
  query: z.object({ q: z.string().max(200).optional() }),
  responses: { 200: Page, 304: null },
  errors: [],
  emits: [],
  idempotency: 'none',
  handle: async ({ request, query }) => {
    const content = await readContent();
    if (wantsMarkdown(request)) return cachedReply(request, llmsText(content, readBaseUrl(request)), MARKDOWN_HEADERS);
    const search = query.q?.trim() ?? '';
    return cachedReply(request, search === '' ? overviewPage(content) : resultsPage(content, search), PAGE_HEADERS);
  },
});

export const getSearchIndex = operation({
  id: 'reference.search_index',
  method: 'GET',
  path: '/docs/search.json',
  summary: 'Read the search index of the reference',
  description: 'Returns the entries that the search field of the pages looks through. `If-None-Match` is supported.',
  auth: anyCaller,
  beyondContract: true,
  responses: { 200: z.string().meta({ contentMediaType: 'application/json' }), 304: null },
  errors: [],
  emits: [],
  idempotency: 'none',
  handle: async ({ request }) =>
    cachedReply(request, JSON.stringify(searchIndex(await readContent())), {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
    }),
});

export const getSectionPage = operation({
  id: 'reference.section',
  method: 'GET',
  path: '/docs/{section}',
  summary: 'Read a section of the reference',
  description:
    'Returns the page of an area, of all errors (`errors`) or of all events (`event-types`). With `.md` after the name, or if `Accept` prefers `text/markdown`, it is Markdown.',
  auth: anyCaller,
  beyondContract: true,
  responses: { 200: Page, 304: null },
  errors: [noSuchPage],
  emits: [],
  idempotency: 'none',
  handle: async ({ request, params, fail }) => {
    const { name, isMarkdown } = readName(request, params.section);
    const content = await readContent();
    const text = isMarkdown ? sectionMarkdown(content, name, readBaseUrl(request)) : sectionPage(content, name);
    if (text === undefined) throw fail(noSuchPage);
    return cachedReply(request, text, isMarkdown ? MARKDOWN_HEADERS : PAGE_HEADERS);
  },
});

function sectionPage(content: Content, name: string): string | undefined {
  if (name === 'errors') return errorsPage(content);
  if (name === 'event-types') return eventsPage(content);
  return areaPage(content, name);
}

function sectionMarkdown(content: Content, name: string, baseUrl: string): string | undefined {
  if (name === 'errors') return errorsMarkdown(content);
  if (name === 'event-types') return eventsMarkdown(content);
  return areaMarkdown(content, name, baseUrl);
}

export const getReferencePage = operation({
  id: 'reference.page',
  method: 'GET',
  path: '/docs/{section}/{page}',
  summary: 'Read a page of the reference',
  description:
    'Returns the page of a resource of an area, of a guide (`guides/{name}`), of an error code (`errors/{code}`) or of an event (`event-types/{name}`). With `.md` after the name, or if `Accept` prefers `text/markdown`, it is Markdown.',
  auth: anyCaller,
  beyondContract: true,
  responses: { 200: Page, 304: null },
  errors: [noSuchPage],
  emits: [],
  idempotency: 'none',
  handle: async ({ request, params, fail }) => {
    const { name, isMarkdown } = readName(request, params.page);
    const content = await readContent();
    const baseUrl = readBaseUrl(request);
    const text = isMarkdown
      ? markdownIn(content, params.section, name, baseUrl)
      : pageIn(content, params.section, name, baseUrl);
    if (text === undefined) throw fail(noSuchPage);
    return cachedReply(request, text, isMarkdown ? MARKDOWN_HEADERS : PAGE_HEADERS);
  },
});

function pageIn(content: Content, section: string, name: string, baseUrl: string): string | undefined {
  if (section === 'guides') return guidePage(content, name);
  if (section === 'errors') return errorPage(content, name);
  if (section === 'event-types') return eventPage(content, name);
  return resourcePage(content, section, name, baseUrl);
}

function markdownIn(content: Content, section: string, name: string, baseUrl: string): string | undefined {
  if (section === 'guides') return guideMarkdown(content, name);
  if (section === 'errors') return errorsMarkdown(content, name);
  if (section === 'event-types') return eventsMarkdown(content, name);
  return resourceMarkdown(content, section, name, baseUrl);
}

export const getLanguageModelIndex = operation({
  id: 'reference.llms',
  method: 'GET',
  path: '/llms.txt',
  summary: 'List the pages of the reference for language models',
  description: 'Returns links to the Markdown of every page, in the format of https://llmstxt.org.',
  auth: anyCaller,
  beyondContract: true,
  responses: { 200: z.string().meta({ contentMediaType: 'text/markdown' }), 304: null },
  errors: [],
  emits: [],
  idempotency: 'none',
  handle: async ({ request }) =>
    cachedReply(request, llmsText(await readContent(), readBaseUrl(request)), MARKDOWN_HEADERS),
});

/** Reports whether a client names Markdown in its Accept header and HTML not: browsers name HTML. */
const wantsMarkdown = ({ headers }: IncomingRequest): boolean =>
  headers.accept?.includes('text/markdown') === true && !headers.accept.includes('text/html');

function readName(request: IncomingRequest, segment: string): { name: string; isMarkdown: boolean } {
  const isNamed = segment.endsWith('.md');
  return { name: isNamed ? segment.slice(0, -3) : segment, isMarkdown: isNamed || wantsMarkdown(request) };
}

const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;
const LOOPBACK = /^(?:localhost|127\.|\[::1\])/;

/**
 * The service's URL for example calls: as configured for the stage, since behind CloudFront the host differs, otherwise the
 * request's host. An invalid host name is not repeated.
 */
function readBaseUrl({ headers }: IncomingRequest): string {
  const stated = settings().GATEHOUSE_BASE_URL;
  if (stated !== '') return stated;
  const host = headers.host ?? '';
  if (!HOST.test(host)) return 'https://localhost';
  const scheme = headers['x-forwarded-proto'] ?? (LOOPBACK.test(host) ? 'http' : 'https');
  return `${scheme === 'http' ? 'http' : 'https'}://${host}`;
}

export const pageOperations = [
  getOverviewPage,
  getSearchIndex,
  getSectionPage,
  getReferencePage,
  getLanguageModelIndex,
] as const;
