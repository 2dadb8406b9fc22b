<?php
// Serves SimpleSAMLphp below /simplesaml by PHP's own web server, which has no aliases.
$www = getenv('SIMPLESAMLPHP_FOLDER') . '/www';
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (preg_match('#^/simplesaml(/[\w/-]+\.(js|css))$#', $path, $file) && is_file($www . $file[1])) {
    header('Content-Type: text/' . ($file[2] === 'js' ? 'javascript' : 'css'));
    readfile($www . $file[1]);
    return true;
}
if (!preg_match('#^/simplesaml(/.*?\.php)(/.*)?$#', $path, $match) || !is_file($www . $match[1])) {
    http_response_code(404);
    return true;
}
$_SERVER['SCRIPT_NAME'] = '/simplesaml' . $match[1];
$_SERVER['SCRIPT_FILENAME'] = $www . $match[1];
$_SERVER['PATH_INFO'] = $match[2] ?? '';
$_SERVER['PHP_SELF'] = $path;
chdir(dirname($www . $match[1]));
require $www . $match[1];
return true;
