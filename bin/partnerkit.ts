#!/usr/bin/env node
// Nothing is imported before this check, because an older Node would fail on new syntax.
const minNode = [22, 18] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const { bun } = process.versions;
if (bun !== undefined) {
  process.stderr.write(
    `partnerkit: needs Node; this is Bun ${bun}. Run it with \`npx partnerkit\`, without \`bun --bun\`\n`,
  );
  process.exitCode = 2;
} else if (major < minNode[0] || (major === minNode[0] && minor < minNode[1])) {
  process.stderr.write(`partnerkit: needs Node ${minNode.join('.')} or newer; this is Node ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  // Node caches the compiled code in the temporary folder, which halves the time of the next start.
  process.getBuiltinModule('node:module').enableCompileCache();
  import('./main.ts').then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2));
  });
}
