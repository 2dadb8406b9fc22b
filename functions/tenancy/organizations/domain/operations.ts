import { apiKey } from '../../../kernel/authentication/api-key.ts';
import type { ConcernedCall } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, notFound, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { inBody, keyOrGrant } from '../../modules/portal-access/public.ts';
import { organizations } from '../organization/entity.ts';
import { organizationNotFound } from '../organization/errors.ts';
import { domainsById, sortDomains, MAX_DOMAINS } from '../organization/schema.ts';
import { organizationDomains } from './entity.ts';
import { addDomain, readFields, forgetDomain, holderOfName, moveDomain, removeDomain, repeatDomain } from './stage.ts';
import { isVerified } from './rules.ts';
import { CreateDomain, type DomainFields, OrganizationDomain, presentDomain } from './schema.ts';
import { isProvenByDns } from './verification.ts';

const domainNotFound = notFound('organization domain');

const domainAlreadyExists = declareError({
  status: 409,
  code: 'domain_already_exists',
  message:
    'The domain is taken. If this organization has it already, read it with `GET /organizations/{id}`; if its state is not `verified`, verify it with `POST /organization_domains/{id}/verify`. ' +
    'If another organization has verified it, find that one with `GET /organizations?domains=…` and remove the domain there first.',
});

/** The message for a domain that the organization of the call has already. */
const ownDomain = ({ id, state }: DomainFields): string =>
  `This organization has the domain already, as ${id} with the state ${state}. ` +
  (state === 'verified' ? 'Nothing is missing.' : `Verify it with POST /organization_domains/${id}/verify.`);

const TAKEN_DOMAIN =
  'Another organization has verified this domain. Find it with GET /organizations?domains=…, and remove the domain there first.';

const domainAlreadyVerified = declareError({
  status: 400,
  code: 'domain_already_verified',
  message:
    'The domain is verified already. If it is by this organization (`state` is `verified`), nothing is missing. If another organization has verified it, remove it there first.',
});

/** The organization of the domain that a path names, for grants. */
const findDomainOwner = async ({ environmentId, params: { id = '' } }: ConcernedCall): Promise<string | undefined> =>
  (await organizationDomains.get(environmentId, id))?.organizationId;

export const createOrganizationDomain = operation({
  id: 'organization_domains.create',
  method: 'POST',
  path: '/organization_domains',
  summary: 'Add a domain to an organization, for verification by DNS',
  description:
    'Publish the token as a TXT record: `verification_token` at `<verification_prefix>.<domain>`, or ' +
    '`<verification_prefix>=<verification_token>` at the domain itself. The service looks for it for 30 days. ' +
    'Several organizations may wait for the same domain: the first one with the record gets it. A domain that another organization has verified is rejected.',
  auth: keyOrGrant(inBody('organization_id')),
  operator: 'config.change',
  body: CreateDomain,
  responses: { 201: OrganizationDomain },
  errors: [organizationNotFound, domainAlreadyExists],
  emits: ['organization_domain.created'],
  idempotency: 'replay',
  dryRun: true,
  async handle({ environmentId, body, unit, fail, invalid }) {
    const [organization, holder] = await awaitAll([
      organizations.get(environmentId, body.organization_id),
      holderOfName(environmentId, body.domain),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    const { id } = organization;
    const domains = sortDomains(organization);
    const own = domains.find(({ domain }) => domain === body.domain);
    if (own !== undefined) throw fail(domainAlreadyExists, { message: ownDomain(own) });
    if (holder !== undefined) throw fail(domainAlreadyExists, { message: TAKEN_DOMAIN });
    if (domains.length >= MAX_DOMAINS) {
      const message = `the organization has ${MAX_DOMAINS} domains, which is the limit`;
      throw invalid([{ field: 'organization_id', code: 'too_big', message }]);
    }
    const { domain, writes } = addDomain(environmentId, id, body.domain, 'pending');
    unit.stage([...writes, organizations.revise(organization, { domains: domainsById([...domains, domain]) }).write]);
    unit.emit('organization_domain.created', presentDomain(domain, id), { organizationId: id });
    return { status: 201, body: presentDomain(domain, id) };
  },
});

export const getOrganizationDomain = operation({
  id: 'organization_domains.get',
  method: 'GET',
  path: '/organization_domains/{id}',
  summary: 'Get a domain',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: OrganizationDomain },
  errors: [domainNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(organizationDomains.get(environmentId, params.id), () => fail(domainNotFound));
    return { status: 200, body: presentDomain(readFields(record), record.organizationId) };
  },
});

export const deleteOrganizationDomain = operation({
  id: 'organization_domains.delete',
  method: 'DELETE',
  path: '/organization_domains/{id}',
  summary: 'Remove a domain from its organization',
  auth: keyOrGrant(findDomainOwner),
  operator: 'config.change',
  responses: { 204: null },
  errors: [domainNotFound],
  emits: ['organization_domain.deleted'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(organizationDomains.get(environmentId, params.id), () => fail(domainNotFound));
    const { organizationId } = record;
    unit.stage(removeDomain(record));
    // The organization was deleted, and the domain will be removed too.
    unit.stage(forgetDomain(environmentId, organizationId, record.id), fail(domainNotFound));
    unit.emit('organization_domain.deleted', presentDomain(readFields(record), organizationId), { organizationId });
    return { status: 204 };
  },
});

export const verifyOrganizationDomain = operation({
  id: 'organization_domains.verify',
  method: 'POST',
  path: '/organization_domains/{id}/verify',
  summary: 'Look for the domain’s TXT record now',
  description:
    'Returns the domain with its current state: `verified` if the record was found, else `pending`; lookups continue for 30 ' +
    'days. A failed verification starts again.',
  auth: keyOrGrant(findDomainOwner),
  operator: 'people.support',
  responses: { 201: OrganizationDomain },
  errors: [domainNotFound, domainAlreadyVerified],
  emits: ['organization_domain.verified', 'organization_domain.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(organizationDomains.get(environmentId, params.id), () => fail(domainNotFound));
    if (isVerified(record)) throw fail(domainAlreadyVerified);
    const { organizationId } = record;
    const isProven = await isProvenByDns(record);
    if (!isProven && record.state === 'pending') {
      return { status: 201, body: presentDomain(readFields(record), organizationId) };
    }
    const move = moveDomain(record, isProven ? 'verified' : 'pending', 'dns');
    unit.stage(move.writes);
    unit.stage(repeatDomain(environmentId, organizationId, move.domain), fail(domainNotFound));
    if (move.claim !== undefined) unit.stage(move.claim, fail(domainAlreadyVerified));
    const body = presentDomain(move.domain, organizationId);
    unit.emit(isProven ? 'organization_domain.verified' : 'organization_domain.updated', body, { organizationId });
    return { status: 201, body };
  },
});

export const domainOperations = [
  createOrganizationDomain,
  getOrganizationDomain,
  deleteOrganizationDomain,
  verifyOrganizationDomain,
] as const;
