import * as z from 'zod';

import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { declareError, notFound, orFail } from '../../../../kernel/errors.ts';
import { newId } from '../../../../kernel/ids.ts';
import { listOperation } from '../../../../kernel/list-operation.ts';
import { operation } from '../../../../kernel/operation.ts';
import { isOwnOrigin } from '../../../../kernel/own-origin.ts';
import { pageMembers } from '../../../../kernel/pagination.ts';
import { ENVIRONMENT_OWNER } from '../../../../kernel/storage/record.ts';
import {
  claimUri,
  defaultId,
  redirectUris,
  redirectUriWildcards,
  type RedirectUriRecord,
  releaseUri,
  takeDefault,
} from './entity.ts';
import { MAX_IN_GROUP } from './match.ts';
import { isProblem, readUri } from './rules.ts';
import { CreateRedirectUri, presentRedirectUri, RedirectUri, RedirectUriList } from './schema.ts';

const redirectUriNotFound = notFound('redirect URI');

const redirectUriTaken = declareError({
  status: 422,
  code: 'redirect_uri_already_registered',
  message: 'This redirect URI is registered already.',
});

const defaultInUse = declareError({
  status: 409,
  code: 'redirect_uri_is_default',
  message: 'This is the default redirect URI. Make another one the default first.',
});

const wildcardAsDefault = declareError({
  status: 422,
  code: 'wildcard_as_default',
  message: 'A wildcard URI cannot be the default.',
});

export const listRedirectUris = listOperation({
  id: 'redirect_uris.list',
  path: '/user_management/redirect_uris',
  operator: 'config.read',
  summary: 'List redirect URIs',
  query: z.object(pageMembers('redir')),
  response: RedirectUriList,
  fetch: (environmentId, _query, window) => redirectUris.list('primary', { environmentId }).toPage(window),
  present: presentRedirectUri,
});

export const createRedirectUri = operation({
  id: 'redirect_uris.create',
  method: 'POST',
  path: '/user_management/redirect_uris',
  summary: 'Register a redirect URI',
  description:
    'Sign-in and sign-out only redirect to registered URIs, compared as text. The first one without a `*` becomes the default. One `*` may ' +
    'replace (part of) the leftmost label of the host; http is allowed for loopback hosts, and a loopback URI without ' +
    'a port allows every port; a native app registers a scheme of its own, such as `com.example.app:/callback`.',
  auth: apiKey,
  operator: 'config.change',
  body: CreateRedirectUri,
  responses: { 201: RedirectUri },
  errors: [redirectUriTaken],
  emits: [],
  idempotency: 'replay',
  dryRun: true,
  async handle({ environmentId, body, unit, fail, invalid }) {
    const read = readUri(body.uri);
    if (isProblem(read)) throw invalid([{ field: 'uri', ...read }]);
    const { uri, wildcard } = read;
    if (isOwnOrigin(uri)) {
      const message = 'is an address of this service; register an address of your application';
      throw invalid([{ field: 'uri', code: 'own_origin', message }]);
    }
    const group = wildcard?.group;
    const [former, grouped] = await awaitAll([
      defaultId(environmentId),
      group === undefined ? [] : redirectUriWildcards.list('primary', { environmentId, group }).take(MAX_IN_GROUP),
    ]);
    if (grouped.length >= MAX_IN_GROUP) {
      const message = `differs only in its wildcard from ${MAX_IN_GROUP} others, which is the maximum`;
      throw invalid([{ field: 'uri', code: 'too_many', message }]);
    }
    const isDefault = former === undefined && wildcard === undefined;
    const owned = { environmentId, id: newId('redir'), owner: ENVIRONMENT_OWNER };
    const { record, write } = redirectUris.create({ ...owned, uri, isDefault });
    unit.stage(write);
    unit.stage(claimUri(record), fail(redirectUriTaken));
    if (isDefault) unit.stage(takeDefault(record));
    if (wildcard !== undefined) unit.stage(redirectUriWildcards.create({ ...owned, ...wildcard }).write);
    return { status: 201, body: presentRedirectUri(record) };
  },
});

export const deleteRedirectUri = operation({
  id: 'redirect_uris.delete',
  method: 'DELETE',
  path: '/user_management/redirect_uris/{id}',
  summary: 'Delete a redirect URI',
  description: 'The default cannot be deleted: make another URI the default first.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [redirectUriNotFound, defaultInUse],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(redirectUris.get(environmentId, params.id), () => fail(redirectUriNotFound));
    if (record.isDefault) throw fail(defaultInUse);
    unit.stage([redirectUris.remove(record), releaseUri(record)]);
    const wildcard = await findWildcard(record);
    if (wildcard !== undefined) unit.stage(redirectUriWildcards.remove(wildcard));
    return { status: 204 };
  },
});

export const makeRedirectUriDefault = operation({
  id: 'redirect_uris.make_default',
  method: 'POST',
  path: '/x/redirect_uris/{id}/make_default',
  summary: 'Make a redirect URI the default',
  auth: apiKey,
  operator: 'config.change',
  responses: { 200: RedirectUri },
  errors: [redirectUriNotFound, wildcardAsDefault],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const [record, formerId] = await awaitAll([redirectUris.get(environmentId, params.id), defaultId(environmentId)]);
    if (record === undefined) throw fail(redirectUriNotFound);
    if (record.isDefault) return { status: 200, body: presentRedirectUri(record) };
    if (record.uri.includes('*')) throw fail(wildcardAsDefault);
    const next = redirectUris.revise(record, { isDefault: true });
    unit.stage(next.write);
    const former = formerId === undefined ? undefined : await redirectUris.get(environmentId, formerId);
    if (former !== undefined) unit.stage(redirectUris.revise(former, { isDefault: false }).write);
    unit.stage(takeDefault(record, former));
    return { status: 200, body: presentRedirectUri(next.record) };
  },
});

async function findWildcard({ environmentId, id, uri }: RedirectUriRecord) {
  const read = readUri(uri);
  if (isProblem(read) || read.wildcard === undefined) return undefined;
  return redirectUriWildcards.get(environmentId, id, { group: read.wildcard.group });
}

/** The operations on redirect URIs. */
export const redirectUriOperations = [
  listRedirectUris,
  createRedirectUri,
  deleteRedirectUri,
  makeRedirectUriDefault,
] as const;
