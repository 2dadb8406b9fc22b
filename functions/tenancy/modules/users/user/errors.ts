import { notFound } from '../../../../kernel/errors.ts';

export const userNotFound = notFound('user');
