import { secondPerson } from '../../../kernel/approvals/second-person.ts';
import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { orFail } from '../../../kernel/errors.ts';
import { listOperation } from '../../../kernel/list-operation.ts';
import { operation } from '../../../kernel/operation.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { findHolder, moveUnique } from '../../../kernel/storage/unique.ts';
import { inPath, keyOrGrant } from '../../modules/portal-access/public.ts';
import {
  externalIdOf,
  indexName,
  rejectHeldDomains,
  replaceDomains,
  stageOrganization,
  stripeCustomerIdOf,
  wantedDomains,
} from './stage.ts';
import { organizations } from './entity.ts';
import { stageOrganizationRemoval } from './removal.ts';
import {
  domainAlreadyClaimed,
  externalIdAlreadyUsed,
  invalidMetadata,
  organizationNotFound,
  stripeCustomerIdAlreadyUsed,
} from './errors.ts';
import { findOrganizations } from './find.ts';
import {
  CreateOrganization,
  domainsById,
  sortDomains,
  ListOrganizations,
  Organization,
  OrganizationList,
  presentOrganization,
  UpdateOrganization,
} from './schema.ts';

export const listOrganizations = listOperation({
  id: 'organizations.list',
  path: '/organizations',
  operator: 'config.read',
  summary: 'List organizations',
  description:
    'The list may lag behind changes for a moment. `search` matches the beginnings of words of the name; ' +
    '`domains` selects organizations that have any of the named domains.',
  query: ListOrganizations,
  response: OrganizationList,
  fetch: findOrganizations,
  present: presentOrganization,
});

export const createOrganization = operation({
  id: 'organizations.create',
  method: 'POST',
  path: '/organizations',
  summary: 'Create an organization',
  description:
    'Each domain in `domain_data` has the state that you send: `verified`, or `pending` until its DNS record is found. A ' +
    'verified domain belongs to one organization of an environment: a domain that another one has verified is rejected in either state.',
  auth: apiKey,
  operator: 'people.change',
  body: CreateOrganization,
  responses: { 201: Organization },
  errors: [invalidMetadata, externalIdAlreadyUsed, domainAlreadyClaimed],
  memberErrors: { metadata: invalidMetadata },
  emits: ['organization.created', 'organization_domain.created'],
  idempotency: 'replay',
  dryRun: true,
  async handle({ environmentId, body, unit, fail, invalid }) {
    await rejectHeldDomains(environmentId, wantedDomains(body) ?? [], fail(domainAlreadyClaimed));
    const record = await stageOrganization(
      unit,
      {
        environmentId,
        name: body.name,
        domains: wantedDomains(body) ?? [],
        metadata: body.metadata ?? {},
        externalId: body.external_id ?? undefined,
        allowProfilesOutsideOrganization: body.allow_profiles_outside_organization ?? false,
      },
      { externalIdTaken: fail(externalIdAlreadyUsed), taken: fail(domainAlreadyClaimed), invalid },
    );
    return { status: 201, body: presentOrganization(record) };
  },
});

export const getOrganization = operation({
  id: 'organizations.get',
  method: 'GET',
  path: '/organizations/{id}',
  summary: 'Get an organization',
  auth: keyOrGrant(inPath('id')),
  operator: 'config.read',
  responses: { 200: Organization },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(organizations.get(environmentId, params.id), () => fail(organizationNotFound));
    return { status: 200, body: presentOrganization(record) };
  },
});

export const getOrganizationByExternalId = operation({
  id: 'organizations.get_by_external_id',
  method: 'GET',
  path: '/organizations/external_id/{external_id}',
  freeText: 'external_id',
  summary: 'Get an organization by its external id',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: Organization },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const id = await findHolder(externalIdOf(environmentId, params.external_id));
    const record = id === undefined ? undefined : await organizations.get(environmentId, id);
    if (record === undefined) throw fail(organizationNotFound);
    return { status: 200, body: presentOrganization(record) };
  },
});

export const updateOrganization = operation({
  id: 'organizations.update',
  method: 'PUT',
  path: '/organizations/{id}',
  summary: 'Update an organization',
  description:
    'Absent fields are unchanged. Null clears `external_id` and `metadata`; for other fields it has the same effect as absence. `domain_data` replaces all domains: those it does not ' +
    'name are removed.',
  auth: apiKey,
  operator: 'people.change',
  body: UpdateOrganization,
  responses: { 200: Organization },
  errors: [
    invalidMetadata,
    externalIdAlreadyUsed,
    stripeCustomerIdAlreadyUsed,
    domainAlreadyClaimed,
    organizationNotFound,
  ],
  memberErrors: { metadata: invalidMetadata },
  emits: [
    'organization.updated',
    'organization_domain.created',
    'organization_domain.updated',
    'organization_domain.deleted',
  ],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const former = await orFail(organizations.get(environmentId, params.id), () => fail(organizationNotFound));
    const { id } = former;
    const wanted = wantedDomains(body);
    const current = { environmentId, id, domains: sortDomains(former) };
    const rejections = { taken: fail(domainAlreadyClaimed), invalid };
    const added = wanted?.filter(({ domain }) => !current.domains.some((own) => own.domain === domain)) ?? [];
    await rejectHeldDomains(environmentId, added, rejections.taken);
    const { record, write } = organizations.revise(former, {
      name: body.name ?? former.name,
      domains: domainsById(
        wanted === undefined ? current.domains : await replaceDomains(unit, current, wanted, rejections),
      ),
      metadata: body.metadata === undefined ? (former.metadata as Record<string, string>) : (body.metadata ?? {}),
      externalId: body.external_id === undefined ? former.externalId : (body.external_id ?? undefined),
      stripeCustomerId: body.stripe_customer_id ?? former.stripeCustomerId,
      allowProfilesOutsideOrganization:
        body.allow_profiles_outside_organization ?? former.allowProfilesOutsideOrganization,
    });
    const owner = ownerKey('organization', id);
    const external = moveUnique((value) => externalIdOf(environmentId, value), id, {
      former: former.externalId,
      next: record.externalId,
      owner,
    });
    const stripe = moveUnique((value) => stripeCustomerIdOf(environmentId, value), id, {
      former: former.stripeCustomerId,
      next: record.stripeCustomerId,
      owner,
    });
    unit.announce({ record, write }, 'organization.updated', presentOrganization, { organizationId: id, former });
    unit.stage([...external.released, ...stripe.released, ...indexName(environmentId, id, former.name, record.name)]);
    unit.stage(external.claimed, fail(externalIdAlreadyUsed));
    unit.stage(stripe.claimed, fail(stripeCustomerIdAlreadyUsed));
    return { status: 200, body: presentOrganization(record) };
  },
});

export const deleteOrganization = operation({
  id: 'organizations.delete',
  method: 'DELETE',
  path: '/organizations/{id}',
  summary: 'Delete an organization and everything that belongs to it',
  description:
    'The organization is deleted at once; everything that belongs to it is removed in the background within moments.',
  auth: apiKey,
  operator: 'destroy',
  secondPerson: secondPerson(async ({ environmentId, params: { id = '' } }) => {
    const found = await organizations.get(environmentId, id);
    return found && { id, name: found.name, version: found.version };
  }),
  responses: { 202: null },
  errors: [organizationNotFound],
  emits: ['organization.deleted'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(organizations.get(environmentId, params.id), () => fail(organizationNotFound));
    stageOrganizationRemoval(unit, record);
    return { status: 202 };
  },
});

export const organizationOperations = [
  listOrganizations,
  createOrganization,
  getOrganization,
  getOrganizationByExternalId,
  updateOrganization,
  deleteOrganization,
] as const;
