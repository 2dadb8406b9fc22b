import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';

import { anyCaller } from '../../functions/kernel/authentication/caller.ts';
import { declareError, general, notFound } from '../../functions/kernel/errors.ts';
import {
  bareErrorForm,
  messages,
  messagesWith400,
  messagesWithBadRequest,
  oauthErrors,
} from '../../functions/kernel/http/error-response.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { Schemas } from '../../lib/openapi/schemas.ts';
import { pageMembers } from '../../functions/kernel/pagination.ts';
import { makeArea, described, read, variant } from './described.ts';

const Part = z.object({ count: z.number().int().default(1) }).meta({ id: 'Part' });
const Whole = z.object({ part: Part }).meta({ id: 'Whole' });

describe('operations of the OpenAPI document', () => {
  test('have an operationId, the area as tag, a summary and path parameters', () => {
    expect(described({})).toMatchObject({
      operationId: 'things.get',
      tags: ['things'],
      summary: 'Get a thing',
      parameters: [{ name: 'id', in: 'path', required: true }],
    });
  });

  test('are described in the same order, whatever the order of areas and operations', () => {
    const [a, b] = [makeArea([variant({}), variant({ id: 'x', path: '/a' })], 'b'), makeArea([], 'a')];
    const turned = { ...a, operations: a.operations.toReversed() };
    expect(JSON.stringify(openApiDocument([a, b]))).toBe(JSON.stringify(openApiDocument([b, turned])));
  });

  test('without authentication are marked, and others have no security member of their own', () => {
    expect(described({ auth: anyCaller }).security).toEqual([]);
    expect(described({})).not.toHaveProperty('security');
  });

  test('that are not in the contract are marked', () => {
    expect(described({ path: '/x/things' })['x-beyond-contract']).toBe(true);
    expect(described({ beyondContract: true })['x-beyond-contract']).toBe(true);
    expect(described({})).not.toHaveProperty('x-beyond-contract');
  });

  test('are rejected when two share a route or an id', () => {
    expect(() => openApiDocument([makeArea([read, variant({ id: 'other' })])])).toThrow('declared twice');
    expect(() => openApiDocument([makeArea([read, variant({ path: '/other' })])])).toThrow('used twice');
  });

  test('are named in the error if one of their schemas cannot be described', () => {
    const responses = { 200: z.object({ at: z.string().transform(String) }) };
    expect(() => described({ responses })).toThrow('things.get: Transforms cannot be represented');
  });
});

describe('queries', () => {
  test('describe each member as a parameter with its bounds', () => {
    const { parameters } = described({ path: '/things', query: z.object(pageMembers('thing')) });
    expect(parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      description: 'The most records of a page.',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    });
  });

  test('have the meaning of the glossary where a member has no description of its own, also in paths and bodies', () => {
    const member = z.string().optional();
    const body = z.object({ user_id: member, organization_id: member.describe('Its own meaning.'), title: member });
    const { parameters, requestBody } = described({
      method: 'POST',
      path: '/things/{user_id}',
      query: z.object({ user_id: member }),
      body,
    });
    const meaning = 'The id of a user (`user_…`).';
    expect(parameters).toEqual([
      expect.objectContaining({ in: 'path', description: meaning }),
      expect.objectContaining({ in: 'query', description: meaning }),
    ]);
    expect(requestBody).toMatchObject({
      content: {
        'application/json': {
          schema: {
            properties: { user_id: { description: meaning }, organization_id: { description: 'Its own meaning.' } },
          },
        },
      },
    });
    expect(JSON.stringify(requestBody)).toMatch(/"title":\{(?!"description)/);
  });

  test('describe lists as separated by commas', () => {
    const query = z.object({ names: z.preprocess(String, z.array(z.string())) });
    expect(described({ path: '/things', query }).parameters).toEqual([
      expect.objectContaining({ name: 'names', style: 'form', explode: false }),
    ]);
  });

  test('describe a member as a list if its text is parsed as one', () => {
    const names = z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.string().max(9)).max(20));
    expect(described({ path: '/things', query: z.object({ names: names.optional() }) }).parameters).toEqual([
      {
        name: 'names',
        in: 'query',
        required: false,
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'string', maxLength: 9 }, maxItems: 20 },
      },
    ]);
  });

  test('require a member only where every variant does', () => {
    const query = z.union([z.object({ a: z.string(), b: z.string() }), z.object({ a: z.string() })]);
    const { parameters } = described({ path: '/things', query });
    expect(parameters).toMatchObject([
      { name: 'a', required: true },
      { name: 'b', required: false },
    ]);
  });
});

describe('schemas', () => {
  test('with an id are described once and referred to', () => {
    const { responses, document } = described({});
    expect(responses[200].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Thing' });
    expect(document.components.schemas.Thing.required).toEqual(['object', 'id', 'at']);
  });

  test('have two names if request and response differ, and so have all schemas that contain them', () => {
    const own = described({ method: 'POST', body: Whole, responses: { 201: Whole } });
    const { schemas } = own.document.components;
    expect(own.requestBody.content['application/json'].schema.$ref).toBe('#/components/schemas/WholeInput');
    expect(schemas.WholeInput.properties.part.$ref).toBe('#/components/schemas/PartInput');
    expect(schemas.Whole.properties.part.$ref).toBe('#/components/schemas/Part');
    expect(schemas.PartInput).not.toHaveProperty('required');
    expect(schemas.Part.required).toEqual(['count']);
  });

  test('that differ cannot have the same id', () => {
    const other = z.object({ other: z.string() }).meta({ id: 'Thing2' });
    const same = z.object({ same: z.string() });
    expect(() => described({ responses: { 200: other, 201: same.meta({ id: 'Thing2' }) } })).toThrow('Thing2');
  });

  test('of responses allow additional members, since later releases may add them', () => {
    expect(JSON.stringify(described({}).document)).not.toContain('additionalProperties');
  });

  test('describe integer constants with the type integer', () => {
    const { responses } = described({ responses: { 200: z.object({ version: z.literal(1) }) } });
    expect(responses[200].content['application/json'].schema.properties.version).toEqual({ type: 'integer', const: 1 });
  });

  test('are rejected if a pattern has flags, which OpenAPI cannot express', () => {
    const Named = z.object({ name: z.string().regex(/^[a-z]+$/i) });
    expect(() => described({ responses: { 200: Named } })).toThrow(/\^\[a-z\]\+\$.* flags/);
  });

  test('keep members with names of JSON Schema keywords', () => {
    const shape = z.object({ id: z.string(), properties: z.string(), additionalProperties: z.literal(false) });
    const { responses } = described({ responses: { 200: shape } });
    const { properties } = responses[200].content['application/json'].schema;
    expect(Object.keys(properties as object)).toEqual(['id', 'properties', 'additionalProperties']);
  });

  test('mark secret members', () => {
    const body = z.object({ password: z.string().meta({ format: 'password' }) });
    const { requestBody } = described({ method: 'POST', body });
    expect(requestBody.content['application/json'].schema.properties.password.format).toBe('password');
  });

  test('of pages are text with their own media type', () => {
    const { responses } = described({
      responses: { 200: z.string().meta({ contentMediaType: 'text/html' }), 304: null },
    });
    expect(responses[200].content).toEqual({ 'text/html': { schema: { type: 'string' } } });
    expect(responses[304]).not.toHaveProperty('content');
  });
});

describe('redirects', () => {
  test('may lead to an address of the service itself, without its host', () => {
    const { Location } = described({ responses: { 302: null } }).responses['302'].headers;
    expect(Location.schema).toEqual({ type: 'string', format: 'uri-reference' });
  });
});

describe('request bodies', () => {
  test('are required if the contract requires them, although the service accepts older clients that send none', () => {
    expect(described({ method: 'POST', body: Part, bodyOptional: 'tolerated' }).requestBody.required).toBe(true);
  });

  test('may be omitted or form-encoded if the operation declares that', () => {
    const { requestBody } = described({ method: 'POST', body: Part, bodyOptional: true, form: true });
    expect(requestBody.required).toBe(false);
    expect(Object.keys(requestBody.content as object)).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
  });
});

test('the error for a too long URL is declared for every operation with a path parameter or a query', () => {
  const long = { $ref: '#/components/responses/RequestHeaderFieldsTooLarge' };
  const { responses, document } = described({});
  expect(responses[431]).toEqual(long);
  expect(document.components.responses.RequestHeaderFieldsTooLarge.description).toContain('query');
  expect(described({ path: '/things', query: z.object({ q: z.string() }) }).responses[431]).toEqual(long);
  expect(described({ path: '/things' }).responses).not.toHaveProperty('431');
});

describe('error responses', () => {
  const findCodes = (own: ReturnType<typeof described>, status: number): unknown => {
    const response = own.responses[status];
    const found = response.$ref
      ? own.document.components.responses[response.$ref.slice('#/components/responses/'.length)]
      : response;
    return found.content['application/json'].schema;
  };
  const taken = declareError({ status: 409, code: 'taken', message: 'It is taken.' });

  test('are the declared ones and those of the kernel', () => {
    const { responses } = described({ method: 'POST', body: Part, errors: [taken], idempotency: 'replay' });
    expect(Object.keys(responses as object)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '409',
      '413',
      '422',
      '429',
      '431',
      '503',
    ]);
    expect(Object.keys(described({ auth: anyCaller }).responses as object)).toEqual(['200', '404', '431']);
  });

  test('name every code of their status', () => {
    const own = described({ method: 'POST', body: Part, errors: [taken], idempotency: 'replay' });
    expect(findCodes(own, 409)).toMatchObject({ properties: { code: { enum: ['idempotency_error', 'taken'] } } });
    expect(findCodes(own, 503)).toMatchObject({
      properties: { code: { enum: ['concurrent_request', 'environment_fenced', 'service_unavailable'] } },
    });
  });

  test('have each message of a code that the operation declares with several', () => {
    const [one, other] = [notFound('thing'), notFound('owner')];
    const own = described({ errors: [one, other, { ...general.unauthorized, message: 'Own.' }] });
    const lines = [one, other].map(({ message }) => `- \`not_found\`: ${message}`);
    expect(own.responses[404].description).toBe(`Not Found\n\n${lines.join('\n')}`);
    expect(findCodes(own, 404)).toMatchObject({ properties: { code: { enum: ['not_found'] } } });
    // The kernel's message is not listed if the operation has its own.
    expect(own.responses[401].description).toBe('Unauthorized\n\n- `unauthorized`: Own.');
  });

  test('list the invalid members of a request', () => {
    const own = described({ method: 'POST', body: Part });
    expect(findCodes(own, 422)).toMatchObject({ properties: { errors: { type: 'array' } } });
  });

  test('describe the details of a member whose error has its own code', () => {
    const wrong = declareError({ status: 400, code: 'invalid_count', message: 'The count is wrong.' });
    const own = described({ method: 'POST', body: Part, errors: [wrong], memberErrors: { count: wrong } });
    expect(findCodes(own, 400)).toMatchObject({
      properties: { errors: { type: 'array' } },
      required: ['code', 'message'],
    });
  });

  test('with status 400 list the codes of invalid input apart from the other codes', () => {
    const own = described({ method: 'POST', body: Part }, messagesWith400);
    expect(own.responses).not.toHaveProperty('422');
    expect(findCodes(own, 400)).toMatchObject({
      anyOf: [{ required: ['code', 'message', 'errors'] }, { properties: { code: { enum: ['invalid_request'] } } }],
    });
  });

  test('have the format of their operation, or their own', () => {
    expect(findCodes(described({}, bareErrorForm), 401)).toMatchObject({ required: ['error'] });
    expect(findCodes(described({}, oauthErrors), 401)).toMatchObject({ required: ['error', 'error_description'] });
    const own = described({
      errors: [
        { ...taken, form: 'oauth' },
        { ...taken, code: 'gone' },
      ],
    });
    expect(findCodes(own, 409)).toMatchObject({
      anyOf: [{ properties: { error: { enum: ['taken'] } } }, { properties: { code: { enum: ['gone'] } } }],
    });
  });

  test('have the codes of OAuth in its format, and the code of a malformed body if the operation declares it', () => {
    const oauth = described({ method: 'POST', body: Part }, oauthErrors);
    expect(findCodes(oauth, 400)).toMatchObject({ properties: { error: { enum: ['invalid_request'] } } });
    const mixed = described({ method: 'POST', body: Part, errors: [taken] }, { ...messages, malformed: 'oauth' });
    expect(findCodes(mixed, 400)).toMatchObject({ required: ['error', 'error_description'] });
    expect(findCodes(mixed, 422)).toMatchObject({ required: ['code', 'message', 'errors'] });
    const coded = described({ method: 'POST', body: Part, errors: [taken] }, messagesWithBadRequest);
    expect(findCodes(coded, 400)).toMatchObject({ properties: { code: { enum: ['bad_request'] } } });
  });

  test('can also be a page if browsers call the operation', () => {
    const page = async () => ({ body: '', headers: {} });
    const { responses } = described({ errors: [taken] }, { ...messages, page });
    expect(Object.keys(responses[409].content as object)).toEqual(['application/json', 'text/html']);
  });

  test('name the parameter that makes a retry safe, if there is one', () => {
    const replayed = described({ method: 'POST', body: Part, idempotency: 'replay' });
    expect(replayed.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
    expect(JSON.stringify(described({ method: 'POST', body: Part }).parameters)).not.toContain('IdempotencyKey');
  });
});

describe('a member whose absence is tolerated', () => {
  test('is required in the document, as in the contract, but may be missing in a request', () => {
    const schema = z.object({
      always: z.string(),
      tolerated: z.string().optional().meta({ 'x-absence': 'tolerated' }),
      optional: z.string().optional(),
    });
    expect(new Schemas().of(schema, 'output')).toMatchObject({ required: ['always', 'tolerated'] });
    expect(schema.safeParse({ always: '' }).success).toBe(true);
  });
});
