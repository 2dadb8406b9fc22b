import { declareError, notFound } from '../../../kernel/errors.ts';

export const blueprintNotFound = notFound('agent blueprint');

export const nameAlreadyInUse = declareError({
  status: 409,
  code: 'name_already_in_use',
  message: 'Another agent blueprint of this environment has this name. Use another name, or update that blueprint.',
});

export const permissionNotFound = declareError({
  status: 422,
  code: 'permission_not_found',
  message: 'The environment has no such permission. Create it first, or leave it out.',
});

export const roleNotFound = declareError({
  status: 422,
  code: 'role_not_found',
  message: 'The environment has no such role. Create it first, or leave it out.',
});

export const unknownOrganization = declareError({
  status: 422,
  code: 'organization_not_found',
  message: 'The environment has no such organization. Create it first, or leave it out.',
});

/** The errors for permissions, roles or organizations in a blueprint that do not exist. */
export const referenceErrors = [permissionNotFound, roleNotFound, unknownOrganization] as const;
