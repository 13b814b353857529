// What the executable runs. The files of the package are in it: they are written to a folder of this user once for each version of
// it, and started there, so that whatever is read from disk (the console, schemas, the script of k6) is where it always is.
'use strict';
const { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { getAsset, getAssetKeys } = require('node:sea');

const digest = getAsset('digest', 'utf8').slice(0, 16);

/** Null where there is no home, or nothing can be written there. */
function cacheFolder() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  try {
    const folder = join(LOCALAPPDATA || XDG_CACHE_HOME || join(homedir(), '.cache'), 'partnerkit');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    // Code that is run must be nobody else's to change.
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOurs ? folder : null;
  } catch {
    return null;
  }
}

function unpack(folder) {
  for (const name of getAssetKeys().filter((key) => key.startsWith('package/'))) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(getAsset(name)));
  }
}

function installed() {
  const cache = cacheFolder();
  const isThere = (folder) => lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  if (cache === null) {
    const folder = mkdtempSync(join(tmpdir(), 'partnerkit-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    unpack(folder);
    return folder;
  }
  const folder = join(cache, digest);
  if (isThere(folder)) return folder;
  // Another process may do the same: whoever comes first is right, and nobody sees half of it.
  const made = mkdtempSync(join(cache, 'making-'));
  unpack(made);
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!isThere(folder)) throw error;
  }
  return folder;
}

const folder = installed();
// An executable of Node cannot import files; what it requires can.
createRequire(join(folder, 'package/dist/bin/'))('./partnerkit.cjs');
