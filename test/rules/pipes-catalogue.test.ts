import { readdirSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';

import { builtInProvider, builtInSlugs } from '../../functions/connections/pipes/catalogue/catalogue.ts';
import { configIssues, missingConfig, splitConfig } from '../../functions/connections/pipes/catalogue/config.ts';
import { makeDefinition, withFallbacks } from '../../functions/connections/pipes/catalogue/definition.ts';
import { type ConfigField, Provider } from '../../functions/connections/pipes/catalogue/schema.ts';
import { fill, MissingConfig, listPlaceholders } from '../../functions/connections/pipes/catalogue/template.ts';

const providers = await Promise.all(builtInSlugs.map(async (slug) => (await builtInProvider(slug)) as Provider));
const named = providers.map((provider) => [provider.slug, provider] as const);

/** Values of a config field by which an attacker would send a token to another host. */
const HOSTILE = [
  'evil.example/',
  'evil.example#',
  'evil.example?',
  'evil.example\\',
  'user@evil.example',
  'acme:8080',
  'acme%2Fevil.example',
  '..',
  '../../x',
  'acme/../..',
  '.acme',
  'acme.',
  '-acme',
  'acme\n',
  'acme evil',
  '169.254.169.254/',
  '[::1]',
  '',
  'ａcme',
  'acme\u0000',
  '{shop}',
];

const makeTemplates = ({ oauth, clientCredentials, account }: Provider): string[] =>
  [
    oauth?.authorizationUrl,
    oauth?.tokenUrl,
    oauth?.refreshUrl,
    oauth?.issuer,
    clientCredentials?.tokenUrl,
    account?.from === 'request' ? account.url : undefined,
  ].filter((template) => template !== undefined);

const isAllowed = (field: ConfigField, value: string): boolean =>
  configIssues([field], { [field.name]: value }, 'integration').length === 0;

describe('the catalogue', () => {
  test('has at least 60 providers, one file each, including the most common ones', () => {
    const files = readdirSync(new URL('../../functions/connections/pipes/catalogue/providers/', import.meta.url));
    expect(files.map((file) => file.replace(/\.ts$/, '')).sort()).toEqual([...builtInSlugs].sort());
    expect(builtInSlugs.length).toBeGreaterThanOrEqual(60);
    expect(builtInSlugs).toEqual(
      expect.arrayContaining([
        ...['slack', 'github', 'gitlab', 'google-drive', 'google-calendar', 'gmail', 'microsoft-graph'],
        ...['microsoft-outlook', 'microsoft-teams', 'notion', 'linear', 'jira', 'confluence', 'asana', 'hubspot'],
        ...['salesforce', 'zendesk', 'intercom', 'stripe', 'shopify', 'dropbox', 'box', 'figma', 'airtable', 'zoom'],
        ...['discord', 'quickbooks', 'xero', 'snowflake', 'datadog', 'pagerduty', 'sentry', 'vercel', 'cloudflare'],
        ...['openai', 'anthropic'],
      ]),
    );
  });

  test('returns undefined for names of the object prototype', async () => {
    for (const slug of ['constructor', '__proto__', 'nobody']) expect(await builtInProvider(slug)).toBeUndefined();
  });

  test.each(named)('%s matches the schema', (slug, provider) => {
    const parsed = Provider.parse(provider);
    expect(parsed).toMatchObject(provider);
    const { isCustom, ...definition } = makeDefinition(provider);
    expect([isCustom, JSON.parse(JSON.stringify(definition))]).toEqual([false, parsed]);
    expect(provider.slug).toBe(slug);
    expect(provider.oauth !== undefined).toBe(provider.authMethods.includes('oauth'));
    expect(provider.clientCredentials !== undefined).toBe(provider.authMethods.includes('client_credentials'));
  });

  test.each(named)('%s has a config field for each placeholder, and uses each field', (_slug, provider) => {
    const parameters = Object.values(provider.clientCredentials?.parameters ?? {});
    const places = [...makeTemplates(provider), ...parameters].flatMap(listPlaceholders);
    const names = (provider.config ?? []).map(({ name }) => name);
    for (const place of places) expect(names).toContain(place);
    for (const field of provider.config ?? []) {
      expect(field.pattern !== undefined || field.values !== undefined).toBe(true);
      if (field.fallback !== undefined) expect(isAllowed(field, field.fallback)).toBe(true);
    }
  });

  test.each(named)(
    '%s requires the config values of its addresses before an account is connected',
    (_slug, provider) => {
      const definition = makeDefinition(provider);
      for (const [method, endpoint] of [
        ['oauth', provider.oauth],
        ['client_credentials', provider.clientCredentials],
      ] as const) {
        if (endpoint === undefined) continue;
        const fallbacks = withFallbacks(definition);
        const missing = missingConfig(definition.config, method, fallbacks).map(({ field }) => field.slice(7));
        for (const place of listPlaceholders(endpoint.tokenUrl))
          expect([...Object.keys(fallbacks), ...missing]).toContain(place);
      }
    },
  );

  const placed = providers.flatMap((provider) =>
    (provider.config ?? []).map((field) => [`${provider.slug} ${field.name}`, provider, field] as const),
  );

  test.each(placed)('%s cannot lead an address to another host', (_title, provider, field) => {
    for (const value of HOSTILE) expect([value, isAllowed(field, value)]).toEqual([value, false]);
    for (const value of ['evil.example', 'localhost', '169.254.169.254', '10.0.0.1', 'xn--80ak6aa92e']) {
      if (!isAllowed(field, value)) continue;
      for (const template of makeTemplates(provider).filter((one) => listPlaceholders(one).includes(field.name))) {
        const others = Object.fromEntries(listPlaceholders(template).map((name) => [name, 'x']));
        const { hostname } = new URL(fill(template, { ...others, [field.name]: value }));
        const own = new URL(fill(template, others)).hostname;
        const suffix = own.split('.').slice(-2).join('.');
        expect(hostname === suffix || hostname.endsWith(`.${suffix}`)).toBe(true);
      }
    }
  });
});

describe('config values', () => {
  const fields: ConfigField[] = [
    { name: 'subdomain', label: 'Subdomain', scope: 'installation', requiredFor: ['oauth'], pattern: '[a-z]+' },
    { name: 'token', label: 'Token', scope: 'integration', requiredFor: [], secret: true, pattern: '[a-z]+' },
  ];

  test.each([
    [{ subdomain: 'acme' }, 'installation', []],
    [{ subdomain: 'ACME' }, 'installation', ['invalid_config_value']],
    [{ token: 'abc' }, 'installation', ['config_field_scope']],
    [{ token: 'abc' }, 'integration', []],
    [{ other: 'x' }, 'integration', ['unknown_config_field']],
    [{ constructor: 'x' }, 'integration', ['unknown_config_field']],
  ] as const)('%j given with the %s: %j', (values, place, codes) => {
    expect(configIssues(fields, values as Record<string, string>, place).map(({ code }) => code)).toEqual(codes);
  });

  test('that are required may be given at any level', () => {
    expect(missingConfig(fields, 'oauth', {}, { subdomain: 'acme' })).toEqual([]);
    expect(missingConfig(fields, 'oauth', {}, {})).toMatchObject([{ field: 'config.subdomain' }]);
    expect(missingConfig(fields, 'api_key', {}, {})).toEqual([]);
  });

  test('that are secret are stored separately', () => {
    expect(splitConfig(fields, { subdomain: 'acme', token: 'abc' })).toEqual({
      presented: { subdomain: 'acme' },
      secret: { token: 'abc' },
    });
  });

  test('that are missing are reported, and invalid ones are rejected again in addresses', () => {
    expect(() => fill('https://{subdomain}.example.com', {})).toThrow(MissingConfig);
    expect(() => fill('https://{subdomain}.example.com', { subdomain: 'evil.example/' })).toThrow(MissingConfig);
  });
});
