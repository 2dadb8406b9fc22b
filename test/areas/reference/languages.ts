import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type CodeRequest, type Language, renderCode } from '../../../functions/reference/examples/code.ts';
import { run, Skipped } from '../../clients/cache.ts';

/** A call of an operation whose code is executed. */
export interface Call {
  id: string;
  request: CodeRequest;
}

/** The result of a language: the number of executed calls and the failed ones, or the reason why none was executed. */
export type Ran = { executed: number; failed: string[] } | { skipped: string };

const indent = (code: string, by: string): string => `${by}${code.replaceAll('\n', `\n${by}`)}`;

interface Program {
  file: string;
  command: string;
  args: readonly string[];
  /** The source of a program that runs each call, and prints `ok ID` or `failed ID reason`. */
  source: (calls: readonly Call[]) => string;
}

const PROGRAMS: Readonly<Record<Language, Program>> = {
  node: {
    file: 'examples.mjs',
    command: process.execPath,
    args: ['examples.mjs'],
    source: (calls) =>
      calls
        .map(({ id, request }) => {
          const code = indent(renderCode('node', request), '  ');
          return `try {\n${code}\n  console.log('ok ${id}');\n} catch (error) { console.log('failed ${id} ' + error); }`;
        })
        .join('\n'),
  },
  python: {
    file: 'examples.py',
    command: 'python3',
    args: ['examples.py'],
    source: (calls) =>
      calls
        .map(({ id, request }) => {
          const code = indent(renderCode('python', request), '    ');
          return `try:\n${code}\n    print("ok ${id}")\nexcept Exception as error:\n    print("failed ${id}", error)`;
        })
        .join('\n'),
  },
  go: {
    file: 'main.go',
    command: 'go',
    args: ['run', 'main.go'],
    source: (calls) => {
      const functions = calls.map(({ request }, at) => {
        const check = 'if response.StatusCode >= 400 {\n\treturn errors.New(string(result))\n}\nreturn err';
        return `func call${at}() error {\n${indent(`${renderCode('go', request)}\n${check}`, '\t')}\n}`;
      });
      const runs = calls.map(({ id }, at) => `\treport("${id}", call${at}())`);
      const used = functions.join('').includes('strings.') ? '"strings"' : '';
      return `package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	${used}
)

${functions.join('\n\n')}

func report(id string, err error) {
	if err != nil {
		fmt.Println("failed", id, err)
	} else {
		fmt.Println("ok", id)
	}
}

func main() {
${runs.join('\n')}
}
`;
    },
  },
  java: {
    file: 'Examples.java',
    command: 'java',
    args: ['Examples.java'],
    source: (calls) => {
      const check = 'if (response.statusCode() >= 400) throw new RuntimeException(result);';
      const methods = calls.map(({ request }, at) => {
        const code = indent(`${renderCode('java', request)}\n${check}`, '    ');
        return `  static void call${at}() throws Exception {\n${code}\n  }`;
      });
      const runs = calls.map(({ id }, at) => `    report("${id}", Examples::call${at});`);
      return `import java.net.URI;
import java.net.http.*;

public class Examples {
  interface Call { void run() throws Exception; }

  static void report(String id, Call call) {
    try {
      call.run();
      System.out.println("ok " + id);
    } catch (Exception error) {
      System.out.println("failed " + id + " " + error.getMessage());
    }
  }

${methods.join('\n\n')}

  public static void main(String[] args) {
${runs.join('\n')}
  }
}
`;
    },
  },
};

/** Executes the code of calls in a language, all in one program. It is skipped where the language is not installed. */
export async function runLanguage(
  language: Language,
  calls: readonly Call[],
  env: Record<string, string>,
): Promise<Ran> {
  const { file, command, args, source } = PROGRAMS[language];
  const folder = mkdtempSync(join(tmpdir(), `gatehouse-examples-`));
  try {
    writeFileSync(join(folder, file), source(calls));
    const { code, output } = await run(command, args, { cwd: folder, env });
    const lines = output.split('\n');
    const executed = lines.filter((line) => /^(ok|failed) /.test(line)).length;
    const failed = lines.filter((line) => line.startsWith('failed '));
    if (code !== 0) failed.push(`${language} ended with ${code}: ${output.slice(-2_000)}`);
    return { executed, failed };
  } catch (error) {
    if (error instanceof Skipped) return { skipped: error.message };
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
