import { notFound } from '../../../kernel/errors.ts';

export const groupNotFound = notFound('group');
