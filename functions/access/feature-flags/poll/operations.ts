import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { isCached } from '../../../kernel/http/incoming-request.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import { loadTargetedFlags, polledVersion } from './load.ts';
import { flagMap, flagRules } from './payload.ts';
import { PolledFlags, PollFlags } from './schema.ts';

export const pollFlags = operation({
  id: 'feature_flags.poll',
  method: 'GET',
  path: '/sdk/feature-flags',
  beyondContract: true,
  summary: 'Read all feature flags with their targets, for a client that evaluates them itself',
  description:
    'The runtime client of the official SDK calls it every few seconds. Send the `ETag` of the last response as ' +
    '`If-None-Match`: while nothing has changed, the response is a 304 without a body.',
  auth: apiKey,
  operator: 'config.read',
  query: PollFlags,
  responses: { 200: PolledFlags, 304: null },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, request }) {
    const version = await polledVersion(environmentId);
    const etag = `"${readUlid(environmentId)}-${query.payload_version}-${version}"`;
    const headers = { etag, 'cache-control': 'private, no-cache' };
    if (isCached(request, etag)) return { status: 304, headers };
    const flags = await loadTargetedFlags(environmentId, version);
    return { status: 200, body: query.payload_version === '2' ? flagRules(flags) : flagMap(flags), headers };
  },
});

export const pollOperations = [pollFlags] as const;
