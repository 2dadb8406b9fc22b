import { notFound } from '../../kernel/errors.ts';

export const membershipNotFound = notFound('organization membership');
