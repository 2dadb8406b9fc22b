import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';

import { mailAddressOf } from '../../lib/stack/grants.ts';
import { topology } from '../../lib/topology/index.ts';
import { fixture, synthesise } from './fixture.ts';

const { data, service, workers } = synthesise(fixture, { stage: 'try', mailFrom: 'no-reply@example.com' });

/** Expects a statement in some function's role. */
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

  test('of organizations are made with the stage’s tags, and no key without them is used or deleted', () => {
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

  test('the stage’s keys carry no tag of an organization', () => {
    data.allResourcesProperties('AWS::KMS::Key', {
      Tags: Match.not(Match.arrayWith([Match.objectLike({ Key: Match.stringLikeRegexp('gatehouse:organization') })])),
    });
  });
});

describe('The stage’s KMS key', () => {
  const PURPOSE = 'kms:EncryptionContext:purpose';

  test('opens what signs tokens for those that sign, and for no one else', () => {
    expectStatement({ Condition: { StringNotEquals: { [PURPOSE]: 'signing-key' } } });
    expectStatement({ Condition: { StringEquals: { [PURPOSE]: 'signing-key' } } });
    const signing = topology.functions.filter(({ needs }) => needs.includes('signing-key'));
    expect(signing.map(({ name }) => name).sort()).toEqual(['authentication-http', 'sessions-http']);
  });

  test('re-encrypts what the vault wrapped, and nothing else', () => {
    expectStatement({
      Action: Match.arrayWith(['kms:ReEncryptFrom', 'kms:ReEncryptTo']),
      Condition: { Null: { 'kms:EncryptionContext:gatehouse:purpose': 'false' } },
    });
  });
});

test('mail leaves from the one address of the stage, whatever identity SES knows it by', () => {
  const isSender = { StringEquals: { 'ses:FromAddress': 'no-reply@example.com' } };
  expectStatement({ Action: 'ses:SendEmail', Condition: isSender }, workers);
  expect(() => mailAddressOf('Gatehouse')).toThrow(/no address/);
});
