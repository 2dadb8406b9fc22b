import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { findUser, userNotFound } from '../../../tenancy/modules/users/public.ts';
import { readApplicationId } from '../application/entity.ts';
import { consentNotFound, consents, consentsOfUser } from '../consent/entity.ts';
import { authorizedByUser, authorizedInOrganization } from './find.ts';
import {
  AuthorizedApplicationList,
  ListAuthorizedApplications,
  ListOfOrganization,
  OrganizationAuthorizedApplicationList,
  presentConsent,
} from './schema.ts';

/**
 * Maximum number of consents that one call removes, which fits into one transaction: a user has one for each organization and
 * resource.
 */
const MOST_REMOVED = 80;

const listOfUser = operation({
  id: 'authorized_applications.list_of_user',
  method: 'GET',
  path: '/user_management/users/{user_id}/authorized_applications',
  summary: 'List the applications that a user has authorized',
  description:
    'Lists one entry for each organization and resource in which the user authorized an application. First-party applications are listed too, ' +
    'although they need no consent. The `id` of an entry is the claim `sid` of its access tokens.',
  auth: apiKey,
  query: ListAuthorizedApplications,
  responses: { 200: AuthorizedApplicationList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const user = await orFail(findUser(environmentId, params.user_id), () => fail(userNotFound));
    const page = await readPage(
      query,
      (window) => authorizedByUser(environmentId, user, window),
      ({ consent, application }) => presentConsent(consent, application),
    );
    return { status: 200, body: page };
  },
});

const listOfOrganization = operation({
  id: 'authorized_applications.list_of_organization',
  method: 'GET',
  path: '/organizations/{organization_id}/authorized_applications',
  summary: 'List the applications that users have authorized in an organization',
  description:
    'Lists one entry for each user and resource. A page may have fewer entries than `limit` although the list continues: follow its cursor until it is null.',
  auth: apiKey,
  query: ListOfOrganization,
  responses: { 200: OrganizationAuthorizedApplicationList },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const { organization_id: organizationId } = params;
    await orFail(findOrganization(environmentId, organizationId), () => fail(organizationNotFound));
    const page = await readPage(
      query,
      (window) => authorizedInOrganization(environmentId, organizationId, window),
      ({ consent, application }) => ({ ...presentConsent(consent, application), user_id: consent.userId }),
    );
    return { status: 200, body: page };
  },
});

const removeOfUser = operation({
  id: 'authorized_applications.delete_of_user',
  method: 'DELETE',
  path: '/user_management/users/{user_id}/authorized_applications/{application_id}',
  summary: 'Revoke the authorization of an application by a user',
  description:
    'The revocation applies to all organizations and resources. `application_id` is the id or client id of the application. Its refresh tokens are invalid ' +
    'at the next call, and so are access tokens where they are introspected; the user is asked for consent again.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 204: null },
  errors: [userNotFound, consentNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const [user, given] = await awaitAll([
      findUser(environmentId, params.user_id),
      consentsOfUser(environmentId, params.user_id),
    ]);
    if (user === undefined) throw fail(userNotFound);
    const applicationId = readApplicationId(environmentId, params.application_id);
    const own = given.filter((consent) => consent.applicationId === applicationId);
    if (own.length === 0) throw fail(consentNotFound);
    unit.stage(own.slice(0, MOST_REMOVED).map((consent) => consents.remove(consent)));
    return { status: 204 };
  },
});

/** The operations on applications that users have authorized. */
export const authorizedApplicationOperations = [listOfUser, listOfOrganization, removeOfUser] as const;
