import { describe, expect, test } from '@jest/globals';

import { encodeKey, presign, type PresignRequest } from '../../../functions/kernel/blobs/presign.ts';

/** The example in Amazon's description of Signature Version 4 in query parameters. */
const example: PresignRequest = {
  method: 'GET',
  url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
  now: Date.parse('2013-05-24T00:00:00Z'),
  expiresSeconds: 86_400,
};

const readMember = (url: string, name: string) => new URL(url).searchParams.get(name);

describe('a presigned URL', () => {
  test('matches AWS’s published example', () => {
    expect(presign(example)).toBe(
      'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
        '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
        '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
        '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });

  test.each<[string, Partial<PresignRequest>]>([
    ['another method', { method: 'PUT' }],
    ['another object', { url: new URL('https://examplebucket.s3.amazonaws.com/other.txt') }],
    ['another bucket', { url: new URL('https://otherbucket.s3.amazonaws.com/test.txt') }],
    ['another query', { url: new URL('https://examplebucket.s3.amazonaws.com/test.txt?versionId=1') }],
    ['another end', { expiresSeconds: 86_401 }],
    ['another start', { now: Date.parse('2013-05-24T00:00:01Z') }],
    ['another region', { region: 'eu-west-1' }],
  ])('for %s has another signature', (_what, change) => {
    expect(readMember(presign({ ...example, ...change }), 'X-Amz-Signature')).not.toBe(
      readMember(presign(example), 'X-Amz-Signature'),
    );
  });

  test('contains the signed session token of temporary credentials', () => {
    const signed = presign({ ...example, credentials: { ...example.credentials, sessionToken: 'token+/=' } });
    expect(readMember(signed, 'X-Amz-Security-Token')).toBe('token+/=');
    expect(readMember(signed, 'X-Amz-Signature')).not.toBe(readMember(presign(example), 'X-Amz-Signature'));
  });

  test.each([0, -1, 604_801, Number.NaN])('is rejected for a validity of %d seconds', (expiresSeconds) => {
    expect(() => presign({ ...example, expiresSeconds })).toThrow(RangeError);
  });

  test('encodes object keys as the canonical form of S3 requires', () => {
    expect(encodeKey("a b/ü(1)*'!~+&=?#.csv")).toBe('a%20b/%C3%BC%281%29%2A%27%21~%2B%26%3D%3F%23.csv');
  });
});
