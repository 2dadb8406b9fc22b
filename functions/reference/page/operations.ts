import * as z from 'zod';

import { anyCaller } from '../../kernel/authentication/caller.ts';
import { notFound } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { settings } from '../../kernel/settings.ts';
import { cachedReply } from '../document/cached.ts';
import { committedDocument } from '../document/committed.ts';
import { areaPage } from './area-page.ts';
import { CONTENT_SECURITY_POLICY } from './layout.ts';
import { overviewPage } from './overview.ts';

const Page = z.string().meta({ contentMediaType: 'text/html' });

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  // The calls on a page contain the request's host, so no shared cache may store it.
  'cache-control': 'private, no-cache',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
};

const noSuchArea = notFound('area of operations');

export const getOverviewPage = operation({
  id: 'reference.overview',
  method: 'GET',
  path: '/docs',
  summary: 'Read the reference',
  description: 'Returns a page with all operations by area; `q` selects those that contain all of its words.',
  auth: anyCaller,
  beyondContract: true,
  query: z.object({ q: z.string().max(200).optional() }),
  responses: { 200: Page, 304: null },
  errors: [],
  emits: [],
  idempotency: 'none',
  handle: async ({ request, query }) =>
    cachedReply(request, overviewPage(await committedDocument(), query.q ?? ''), PAGE_HEADERS),
});

export const getAreaPage = operation({
  id: 'reference.area',
  method: 'GET',
  path: '/docs/{area}',
  summary: 'Read the reference of an area',
  auth: anyCaller,
  beyondContract: true,
  responses: { 200: Page, 304: null },
  errors: [noSuchArea],
  emits: [],
  idempotency: 'none',
  handle: async ({ request, params, fail }) => {
    const text = areaPage(await committedDocument(), params.area, readBaseUrl(request));
    if (text === undefined) throw fail(noSuchArea);
    return cachedReply(request, text, PAGE_HEADERS);
  },
});

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

export const pageOperations = [getOverviewPage, getAreaPage] as const;
