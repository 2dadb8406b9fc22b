import { declareError, notFound } from '../../../kernel/errors.ts';

export const organizationNotFound = notFound('organization');

export const externalIdAlreadyUsed = declareError({
  status: 400,
  code: 'external_id_already_used',
  message: 'Another organization has this external_id. Use another one, or clear it in the other record first.',
});

export const stripeCustomerIdAlreadyUsed = declareError({
  status: 400,
  code: 'stripe_customer_id_already_used',
  message:
    'Another organization has this stripe_customer_id. Use another one, or give that organization another one first.',
});

export const invalidMetadata = declareError({
  status: 400,
  code: 'invalid_metadata',
  message: 'The metadata is invalid: at most 50 members, names of 1 to 40 characters, text values to 600 characters.',
});

export const domainAlreadyClaimed = declareError({
  status: 409,
  code: 'domain_already_claimed',
  message:
    'Another organization of the environment has verified one of these domains, and a verified domain belongs to one organization. Find that organization with `GET /organizations?domains=…`. Remove the domain there, or leave it out here.',
});
