import { declareError } from '../../../kernel/errors.ts';

export const invalidResourceId = declareError({
  status: 400,
  code: 'invalid_resource_id_format',
  message: 'The target is neither the id of a user (user_…) nor of an organization (org_…).',
});

/** Maximum targets of a feature flag. */
export const MAX_TARGETS = 10_000;

/** Maximum targets of all feature flags of an environment. */
export const MAX_ALL_TARGETS = 50_000;
