#!/usr/bin/env node
// Nothing is imported before this: an older Node dies of the first word of syntax that it does not know.
const least = [22, 18] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < least[0] || (major === least[0] && minor < least[1])) {
  process.stderr.write(`partnerkit: needs Node ${least.join('.')} or newer; this is Node ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  // What V8 makes of our code is kept in the temporary folder: the second start takes half as long.
  process.getBuiltinModule('node:module').enableCompileCache();
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
