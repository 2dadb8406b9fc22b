import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { signatureHeaders } from '../../../functions/kernel/http/signature.ts';
import { run, Skipped } from '../../clients/cache.ts';

const GUIDE = new URL('../../../functions/faces/reference/guides/webhook-signatures.md', import.meta.url);

/** A program around a sample: it verifies each request of a file of JSON, and prints `valid` or `rejected`. */
interface Program {
  files: (sample: string) => Record<string, string>;
  command: [string, ...string[]];
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  python: {
    files: (sample) => ({
      'sample.py': `${sample}
import json
for body, header, secret in json.load(open("requests.json")):
    try:
        verify(body.encode(), header, secret)
        print("valid")
    except ValueError:
        print("rejected")
`,
    }),
    command: ['python3', 'sample.py'],
  },
  go: {
    files: (sample) => ({
      'go.mod': 'module sample\n\ngo 1.21\n',
      'sample.go': `package main\n\n${sample}`,
      'main.go': `package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	text, _ := os.ReadFile("requests.json")
	var requests [][3]string
	if err := json.Unmarshal(text, &requests); err != nil {
		panic(err)
	}
	for _, request := range requests {
		if verify([]byte(request[0]), request[1], request[2]) == nil {
			fmt.Println("valid")
		} else {
			fmt.Println("rejected")
		}
	}
}
`,
    }),
    command: ['go', 'run', '.'],
  },
};

function listRequests(): { request: [body: string, header: string, secret: string]; result: string }[] {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const body = '{"event":"user.created","data":{"first_name":"Adé"}}';
  const sign = (now: number, key = secret): string =>
    signatureHeaders(['WorkOS-Signature'], { secret: key }, { id: 'event_1', body, now })['WorkOS-Signature'] ?? '';
  const now = Date.now();
  const signed = sign(now);
  const withoutPrefix = createHmac('sha256', secret.slice('whsec_'.length)).update(`${now}.${body}`).digest('hex');
  const rejected = (header: string, text = body) => ({
    request: [text, header, secret] satisfies [string, string, string],
    result: 'rejected',
  });
  return [
    { request: [body, signed, secret], result: 'valid' },
    { request: [body, signed.replace(', ', ','), secret], result: 'valid' },
    rejected(signed, body.replace('Ad', 'Ev')),
    rejected(sign(now, other)),
    rejected(sign(now - 181_000)),
    rejected(sign(now + 240_000)),
    rejected(''),
    rejected(`t=${now}, v1=`),
    rejected(`t=${now}, v1=${withoutPrefix}`),
    rejected(`${signed}, v1=${'0'.repeat(64)}`),
    rejected(`t=${'9'.repeat(30)}, v1=${'0'.repeat(64)}`),
  ];
}

test.each(Object.keys(PROGRAMS))(
  'the verification of a webhook in %s accepts a signed request, and rejects changed, foreign, old and malformed ones',
  async (language) => {
    const [, sample] =
      new RegExp(`^\`\`\`${language} run webhook\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readFileSync(GUIDE, 'utf8')) ?? [];
    const program = PROGRAMS[language];
    if (sample === undefined || program === undefined) throw new Error(`The guide has no sample in ${language}`);
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-webhook-'));
    try {
      const requests = listRequests();
      const files = {
        ...program.files(sample),
        'requests.json': JSON.stringify(requests.map(({ request }) => request)),
      };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      const [command, ...args] = program.command;
      const { code, output } = await run(command, args, { cwd: folder });
      expect([code, output.trim().split('\n')]).toEqual([0, requests.map(({ result }) => result)]);
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      process.stderr.write(`\nSKIPPED the sample in ${language}: ${error.message}\n\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  300_000,
);
