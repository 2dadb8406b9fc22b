import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import type { ApplicationRecord } from '../application/entity.ts';
import { Application, presentApplication } from '../application/schema.ts';
import type { ConsentRecord } from '../consent/entity.ts';
import { CONSENT_PREFIX } from '../consent/rules.ts';

const members = {
  object: z.literal('authorized_connect_application'),
  id: z.string(),
  granted_scopes: z.array(z.string()),
  oauth_resource: z.string().optional().describe('The resource that the request named; absent for none.'),
  application: Application,
};

export const AuthorizedApplicationList = listSchema(z.object(members)).meta({ id: 'AuthorizedConnectApplicationList' });

export const OrganizationAuthorizedApplicationList = listSchema(z.object({ ...members, user_id: z.string() })).meta({
  id: 'OrganizationAuthorizedConnectApplicationList',
});

export const ListAuthorizedApplications = z.object(pageMembers(CONSENT_PREFIX, 'normal'));

/** The contract states no default limit for the list of an organization. */
export const ListOfOrganization = z.object(pageMembers(CONSENT_PREFIX));

/** A consent as callers see it. */
export const presentConsent = (consent: ConsentRecord, application: ApplicationRecord) => ({
  object: 'authorized_connect_application' as const,
  id: consent.id,
  granted_scopes: consent.scopes,
  ...(consent.resource === undefined ? {} : { oauth_resource: consent.resource }),
  application: presentApplication(application),
});
