import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';

import { readMailAddress } from '../../lib/stack/grants.ts';
import { topology } from '../../lib/topology/index.ts';
import { fixture, synthesise } from './fixture.ts';

const { data, service, workers } = synthesise(fixture, { stage: 'try', mailFrom: 'no-reply@example.com' });

/** Expects a statement in any function's role. */
const expectStatement = (statement: object, stack = service): void =>
  stack.hasResourceProperties('AWS::IAM::Role', {
    Policies: Match.arrayWith([
      Match.objectLike({ PolicyDocument: { Statement: Match.arrayWith([Match.objectLike(statement)]) } }),
    ]),
  });

describe('KMS keys that are not the stage’s own', () => {
  test('of customers are used only in other accounts, whose policies decide', () => {
    expectStatement({
      Action: Match.arrayWith(['kms:Decrypt']),
      Condition: { StringNotEquals: { 'aws:ResourceAccount': { Ref: 'AWS::AccountId' } } },
    });
  });

  test('of organizations are created with the stage’s tags, and keys without these tags cannot be used or deleted', () => {
    expectStatement({
      Effect: 'Deny',
      Action: 'kms:TagResource',
      Condition: {
        StringNotEquals: { 'aws:ResourceTag/gatehouse:stage': 'try' },
        Null: { 'aws:ResourceTag/gatehouse:stage': 'false' },
      },
    });
    expectStatement({
      Action: ['kms:CreateKey', 'kms:TagResource'],
      Condition: {
        StringEquals: { 'aws:RequestTag/gatehouse:stage': 'try' },
        Null: { 'aws:RequestTag/gatehouse:organization': 'false' },
      },
    });
    expectStatement({
      Action: Match.arrayWith(['kms:ScheduleKeyDeletion']),
      Condition: {
        StringEquals: { 'aws:ResourceTag/gatehouse:stage': 'try' },
        Null: { 'aws:ResourceTag/gatehouse:organization': 'false' },
      },
    });
  });

  test('of organizations have a tag that the stage’s own keys do not have', () => {
    data.allResourcesProperties('AWS::KMS::Key', {
      Tags: Match.not(Match.arrayWith([Match.objectLike({ Key: Match.stringLikeRegexp('gatehouse:organization') })])),
    });
  });
});

describe('The stage’s KMS key', () => {
  const PURPOSE = 'kms:EncryptionContext:purpose';

  test('decrypts token signing keys only for functions that sign', () => {
    const reserved = ['signing-key', 'connect-signing-key', 'console-grants', 'portal-grants'];
    expectStatement({ Action: Match.arrayWith(['kms:Decrypt']), Condition: { StringEquals: { [PURPOSE]: ['deed'] } } });
    for (const purpose of reserved) {
      expectStatement({
        Action: Match.arrayWith(['kms:Decrypt']),
        Condition: { StringEquals: { [PURPOSE]: [purpose] } },
      });
    }
    const signing = topology.functions.filter(({ needs }) => needs.includes('signing-key'));
    // The token endpoint of connect issues tokens to registered agents.
    const signers = ['agents-http', 'authentication-http', 'connect-http', 'sessions-http'];
    expect(signing.map(({ name }) => name).sort()).toEqual(signers);
    const forOthers = topology.functions.filter(({ needs }) => needs.includes('connect-signing-key'));
    expect(forOthers.map(({ name }) => name).sort()).toEqual(['agents-http', 'connect-http', 'widgets-http']);
  });

  test('decrypts the secret of operators’ grants only for the console', () => {
    const holders = topology.functions.filter(({ needs }) => needs.includes('console-key'));
    expect(holders.map(({ name }) => name)).toEqual(['console-http']);
  });

  test('decrypts the secret of the portal’s grants only for the portal', () => {
    const holders = topology.functions.filter(({ needs }) => needs.includes('portal-key'));
    expect(holders.map(({ name }) => name)).toEqual(['portal-http']);
  });

  test('re-encrypts only data keys of the vault', () => {
    expectStatement({
      Action: Match.arrayWith(['kms:ReEncryptFrom', 'kms:ReEncryptTo']),
      Condition: { Null: { 'kms:EncryptionContext:gatehouse:purpose': 'false' } },
    });
  });
});

test('mail can only be sent from the stage’s own address, under any SES identity', () => {
  const isSender = { StringEquals: { 'ses:FromAddress': 'no-reply@example.com' } };
  expectStatement({ Action: 'ses:SendEmail', Condition: isSender }, workers);
  expect(() => readMailAddress('Gatehouse')).toThrow(/no address/);
});
