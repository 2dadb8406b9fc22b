import { call } from './service.ts';

/** Creates an organization of the running service. @returns its id */
export const newOrganization = async (name = 'Acme'): Promise<string> =>
  (await call<{ id: string }>('POST', '/organizations', { name })).body.id;
