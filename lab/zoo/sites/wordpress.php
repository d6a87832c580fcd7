<?php
/* Fills an empty WordPress from the JSON on standard input: php wordpress.php ROOT */
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
$root = $argv[1];
$site = json_decode(stream_get_contents(STDIN), true);
require "$root/wp-load.php";
require "$root/wp-admin/includes/upgrade.php";
wp_install($site['title'], 'editor', 'editor@example.com', true, '', 'secret');
foreach ($site['options'] as $name => $value) update_option($name, $value);
foreach (get_posts(['post_type' => ['post', 'page'], 'numberposts' => -1]) as $post) {
    wp_delete_post($post->ID, true);
}

function author_id($name) {
    $login = sanitize_user(sanitize_title($name), true);
    $user = get_user_by('login', $login);
    if ($user) return $user->ID;
    return wp_insert_user(['user_login' => $login, 'user_pass' => 'secret',
        'display_name' => $name, 'nickname' => $name, 'role' => 'author',
        'description' => "$name writes for this site."]);
}

$pages = [];
foreach ($site['posts'] as $post) {
    $id = wp_insert_post([
        'post_type' => $post['type'], 'post_status' => 'publish',
        'post_title' => wp_slash($post['title']), 'post_name' => $post['slug'],
        'post_content' => wp_slash($post['html']), 'post_date' => $post['date'] . ' 09:30:00',
        'post_author' => author_id($post['author']),
        'comment_status' => 'open', 'tags_input' => $post['tags'],
    ], true);
    if (is_wp_error($id)) exit($id->get_error_message());
    if ($post['type'] === 'page') $pages[] = $id;
    else wp_set_object_terms($id, $post['category'], 'category');
    $last = 0;
    foreach ($post['comments'] as $k => $comment) {
        $last = wp_insert_comment([
            'comment_post_ID' => $id, 'comment_author' => $comment['author'],
            'comment_author_email' => sanitize_title($comment['author']) . '@example.com',
            'comment_content' => wp_slash($comment['text']), 'comment_approved' => 1,
            'comment_date' => $comment['date'] . ' 12:00:00',
            'comment_parent' => $k % 3 === 1 ? $last : 0,
        ]);
    }
}
$menu = wp_create_nav_menu('Main');
foreach (array_merge([0], $pages) as $id) {
    wp_update_nav_menu_item($menu, 0, ['menu-item-status' => 'publish'] + ($id
        ? ['menu-item-object-id' => $id, 'menu-item-object' => 'page', 'menu-item-type' => 'post_type']
        : ['menu-item-title' => 'Home', 'menu-item-url' => home_url('/'), 'menu-item-type' => 'custom']));
}
foreach ($site['themes'] as $theme) {
    switch_theme($theme);
    set_theme_mod('nav_menu_locations', ['primary' => $menu, 'footer' => $menu]);
}
$GLOBALS['wp_rewrite']->set_permalink_structure('/%year%/%monthnum%/%postname%/');
$GLOBALS['wp_rewrite']->flush_rules(false);
