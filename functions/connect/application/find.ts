import { notFound } from '../../kernel/errors.ts';
import { isId, readUlid } from '../../kernel/id-format.ts';
import { type ApplicationRecord, applications } from './entity.ts';

export const applicationNotFound = notFound('connect application');

/** The application with an id or a client id: one strongly consistent GetItem; none for another text. */
export async function findApplication(environmentId: string, named: string): Promise<ApplicationRecord | undefined> {
  const id = isId('client', named) ? `conn_app_${readUlid(named)}` : named;
  return isId('conn_app', id) ? applications.get(environmentId, id) : undefined;
}
