import { beforeEach, expect, test } from '@jest/globals';

import { browser, type Page } from '../../support/browser.ts';
import { portalAddress, readText } from '../../support/portal.ts';
import { call, reset, service } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';

beforeEach(() => reset({ calm: true }));

/** An environment with an organization. */
interface Side {
  apiKey: string;
  clientId: string;
  organizationId: string;
  name: string;
}

async function newSide({ apiKey, clientId }: Pick<Side, 'apiKey' | 'clientId'>, name: string): Promise<Side> {
  const { status, body } = await call<{ id: string }>('POST', '/organizations', { name }, { apiKey });
  expect(status).toBe(201);
  return { apiKey, clientId, organizationId: body.id, name };
}

async function newLink({ apiKey, organizationId }: Side): Promise<string> {
  const organization = organizationId;
  const { body } = await call<{ link: string }>('POST', '/portal/generate_link', { organization }, { apiKey });
  return body.link;
}

const makeAddress = async ({ clientId }: Side, page = 'overview'): Promise<string> =>
  (await portalAddress(page)).replace(/client_[^/]+/, clientId);

const isSetUp = (page: Page, { name }: Side): boolean => readText(page).includes(`Set up ${name}`);

async function bothSides(): Promise<[Side, Side]> {
  return [await newSide(await service(), 'Engines'), await newSide(await otherEnvironment(), 'Looms')];
}

test('one browser has a session in each of two environments of the same host, and finishing one keeps the other', async () => {
  const [one, other] = await bothSides();
  const person = browser();
  for (const side of [one, other]) {
    expect(isSetUp(await person.submit(await person.open(await newLink(side))), side)).toBe(true);
  }
  const names = [...person.cookies(new URL(await makeAddress(one)).host).keys()].filter((name) =>
    name.includes('portal'),
  );
  expect(names).toHaveLength(2);
  for (const side of [one, other]) expect(isSetUp(await person.open(await makeAddress(side)), side)).toBe(true);
  await person.submit(await person.open(await makeAddress(one)), {}, 'Finish setup');
  expect((await person.open(await makeAddress(one))).status).toBe(403);
  expect(isSetUp(await person.open(await makeAddress(other)), other)).toBe(true);
});

test('the cookie of one environment is rejected under the name of the cookie of another', async () => {
  const [one, other] = await bothSides();
  const { host } = new URL(await makeAddress(one));
  const [first, second] = [browser(), browser()];
  for (const [person, side] of [
    [first, one],
    [second, other],
  ] as const) {
    await person.submit(await person.open(await newLink(side)));
  }
  const findCookie = (person: typeof first): [string, string] =>
    [...person.cookies(host)].find(([name]) => name.includes('portal')) ?? ['', ''];
  const [[, value], [name]] = [findCookie(first), findCookie(second)];
  const thief = browser();
  thief.cookies(host).set(name, value);
  for (const page of ['overview', 'domains', 'sso', 'directories']) {
    expect((await thief.open(await makeAddress(other, page))).status).toBe(403);
    expect((await thief.open(await makeAddress(one, page))).status).toBe(403);
  }
});

test('a form of one environment changes nothing in another, not even in a browser with sessions in both', async () => {
  const [one, other] = await bothSides();
  const person = browser();
  for (const side of [one, other]) await person.submit(await person.open(await newLink(side)));
  const page = await person.open(await makeAddress(one, 'domains'));
  const moved = { ...page, text: page.text.replaceAll(one.clientId, other.clientId) };
  const sent = await person.submit(moved, { domain: 'stolen.example' }, 'value="add"');
  expect(sent.status).toBe(400);
  for (const { organizationId, apiKey } of [one, other]) {
    const { body } = await call<{ domains: unknown[] }>('GET', `/organizations/${organizationId}`, undefined, {
      apiKey,
    });
    expect(body.domains).toEqual([]);
  }
  expect((await person.submit(page, { domain: 'own.example' }, 'value="add"')).status).toBe(200);
});

test('a link of one environment opens no session in another', async () => {
  const [one, other] = await bothSides();
  const person = browser();
  await person.submit(await person.open(await newLink(one)));
  expect((await person.open(await makeAddress(one))).status).toBe(200);
  expect((await person.open(await makeAddress(other))).status).toBe(403);
});
