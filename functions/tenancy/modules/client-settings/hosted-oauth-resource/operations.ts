import * as z from 'zod';

import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { declareError, notFound, orFail } from '../../../../kernel/errors.ts';
import { newId } from '../../../../kernel/ids.ts';
import { listOperation } from '../../../../kernel/list-operation.ts';
import { operation } from '../../../../kernel/operation.ts';
import { pageMembers } from '../../../../kernel/pagination.ts';
import { ENVIRONMENT_OWNER } from '../../../../kernel/storage/record.ts';
import { isProblem, readUri } from '../redirect-uri/rules.ts';
import {
  claimResource,
  defaultResource,
  giveUpDefault,
  hostedResources,
  releaseResource,
  takeDefault,
} from './entity.ts';
import { CreateHostedResource, HostedResource, HostedResourceList, presentHostedResource } from './schema.ts';

const hostedResourceNotFound = notFound('hosted OAuth resource');

const hostedResourceTaken = declareError({
  status: 422,
  code: 'hosted_oauth_resource_already_registered',
  message: 'This resource is registered already.',
});

const wildcardAsDefault = declareError({
  status: 422,
  code: 'wildcard_as_default',
  message: 'A resource with a wildcard cannot be the default: no token could name it as its audience.',
});

export const listHostedResources = listOperation({
  id: 'hosted_oauth_resources.list',
  path: '/user_management/hosted_oauth_resources',
  operator: 'config.read',
  summary: 'List hosted OAuth resources',
  query: z.object(pageMembers('hosted_oauth_resource', 'normal')),
  response: HostedResourceList,
  fetch: (environmentId, _query, window) => hostedResources.list('primary', { environmentId }).toPage(window),
  present: presentHostedResource,
});

export const createHostedResource = operation({
  id: 'hosted_oauth_resources.create',
  method: 'POST',
  path: '/user_management/hosted_oauth_resources',
  summary: 'Register a resource for which tokens can be requested (RFC 8707)',
  description:
    'The URI is compared as text. It uses https, or http on a loopback host; one `*` may replace (part of) the leftmost label ' +
    'of the host. A new default replaces the former one; a URI with a wildcard cannot be the default.',
  auth: apiKey,
  operator: 'config.change',
  body: CreateHostedResource,
  responses: { 201: HostedResource },
  errors: [hostedResourceTaken, wildcardAsDefault],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const read = readUri(body.uri, { ownSchemes: false });
    if (isProblem(read)) throw invalid([{ field: 'uri', ...read }]);
    const isDefault = body.default;
    if (isDefault && read.wildcard !== undefined) throw fail(wildcardAsDefault);
    const { record, write } = hostedResources.create({
      environmentId,
      id: newId('hosted_oauth_resource'),
      owner: ENVIRONMENT_OWNER,
      uri: read.uri,
      isDefault,
    });
    unit.stage(write);
    unit.stage(claimResource(record), fail(hostedResourceTaken));
    if (isDefault) {
      const former = await defaultResource(environmentId);
      unit.stage(takeDefault(record, former));
      if (former !== undefined) unit.stage(hostedResources.revise(former, { isDefault: false }).write);
    }
    return { status: 201, body: presentHostedResource(record) };
  },
});

export const deleteHostedResource = operation({
  id: 'hosted_oauth_resources.delete',
  method: 'DELETE',
  path: '/user_management/hosted_oauth_resources/{id}',
  summary: 'Delete a hosted OAuth resource',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [hostedResourceNotFound],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(hostedResources.get(environmentId, params.id), () => fail(hostedResourceNotFound));
    unit.stage([hostedResources.remove(record), releaseResource(record)]);
    if (record.isDefault) unit.stage(giveUpDefault(record));
    return { status: 204 };
  },
});

/** The operations on hosted OAuth resources. */
export const hostedResourceOperations = [listHostedResources, createHostedResource, deleteHostedResource] as const;
