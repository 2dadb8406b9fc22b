import { browser } from '../../../support/browser.ts';
import { openConsole, openPath } from '../../../support/console.ts';
import { newLink, openPortal, portalGrant } from '../../../support/portal.ts';
import { call } from '../../../support/service.ts';
import { environment } from '../../../support/users.ts';
import { type Doors, type Member, read } from './member.ts';

/** Validates a key, by the API key of the environment. */
async function readKey(value: string | undefined): Promise<string> {
  const { status, body } = await call<{ api_key?: object | null }>('POST', '/api_keys/validations', { value });
  return status === 200 && body.api_key === null ? 'invalid' : read({ status, body });
}

const createUserKey = ({ userId, organizationId }: Member) =>
  call<{ value?: string }>('POST', `/user_management/users/${userId}/api_keys`, {
    name: 'Laptop',
    organization_id: organizationId,
  });
const createOrganizationKey = ({ organizationId }: Member) =>
  call<{ value?: string }>('POST', `/organizations/${organizationId}/api_keys`, { name: 'Laptop' });

const createWidgetToken = ({ organizationId, userId }: Member) =>
  call<{ token: string }>('POST', '/widgets/token', { organization_id: organizationId, user_id: userId, scopes: [] });

export const KEY_DOORS: Doors = {
  'API key of a user': async (member) => async () => read(await createUserKey(member)),
  'use of a user’s API key': async (member) => {
    const { value } = (await createUserKey(member)).body;
    return () => readKey(value);
  },
  'API key of an organization': async (member) => async () => read(await createOrganizationKey(member)),
  'use of an organization’s API key': async (member) => {
    const { value } = (await createOrganizationKey(member)).body;
    return () => readKey(value);
  },
  'widget token': async (member) => async () => read(await createWidgetToken(member)),
  'use of a widget token': async (member) => {
    const { token } = (await createWidgetToken(member)).body;
    return async () => read(await call('GET', '/x/widgets/session', undefined, { apiKey: token }));
  },
  'link of the portal': async ({ organizationId }) => {
    const link = await newLink(organizationId);
    const person = browser();
    return async () => {
      const start = await person.open(link);
      const { url, status } = start.status === 200 ? await person.submit(start) : start;
      return status === 200 && url.includes('/portal/') ? 'allowed' : String(status);
    };
  },
  'session of the portal': async ({ organizationId }) => {
    const { open } = await openPortal(organizationId);
    return async () => {
      const { status } = await open('domains');
      return status === 200 ? 'allowed' : String(status);
    };
  },
  'grant of the portal': async ({ organizationId }) => {
    const { person } = await openPortal(organizationId);
    const apiKey = await portalGrant(person, organizationId);
    return async () => read(await call('GET', `/organizations/${organizationId}`, undefined, { apiKey }));
  },
  'session of the console, with its grant': async () => {
    const { person } = await openConsole();
    const path = `/console/e/${await environment()}`;
    return async () => {
      const { status, url } = await openPath(person, path);
      return status === 200 && url.includes(path) ? 'allowed' : String(status);
    };
  },
};
