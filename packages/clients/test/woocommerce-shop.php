<?php

/**
 * A stand-in for the parts of WordPress and WooCommerce that the plugin uses. Loads the plugin from the folder in the first argument,
 * plays the steps that come as JSON on stdin, and prints what happened.
 */

declare(strict_types=1);

$hooks = [];
$orders = [];
$scheduled = [];

function add_action(string $name, callable $run, int $priority = 10, int $arguments = 1): void
{
    global $hooks;
    $hooks[$name][] = [$run, $arguments];
}

function do_action(string $name, mixed ...$given): void
{
    global $hooks;
    foreach ($hooks[$name] ?? [] as [$run, $arguments]) {
        $run(...array_slice($given, 0, $arguments));
    }
}

function esc_attr(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function get_userdata(int $id): object
{
    return (object) ['user_email' => "user$id@example.com"];
}

function wc_get_order(int $id): mixed
{
    global $orders;
    return $orders[$id] ?? false;
}

function wp_schedule_single_event(int $time, string $action, array $arguments): void
{
    global $scheduled;
    // In tens of seconds, so that a clock that moves on changes nothing.
    $scheduled[] = ['in' => (int) round(($time - time()) / 10) * 10, 'action' => $action, 'arguments' => $arguments];
}

function wcs_order_contains_renewal(WC_Order $order): bool
{
    return $order->isRenewal;
}

class WC_Abstract_Order
{
    private array $meta = [];

    public function __construct(private array $facts, public bool $isRenewal = false)
    {
    }

    public function get_total(): string
    {
        return $this->facts['total'];
    }

    public function get_total_tax(): string
    {
        return $this->facts['tax'] ?? '0';
    }

    public function get_shipping_total(): string
    {
        return $this->facts['shipping'] ?? '0';
    }

    public function get_currency(): string
    {
        return $this->facts['currency'] ?? 'USD';
    }

    public function get_customer_id(): int
    {
        return $this->facts['customer'] ?? 0;
    }

    public function get_meta(string $name): string
    {
        return $this->meta[$name] ?? '';
    }

    public function update_meta_data(string $name, string $value): void
    {
        $this->meta[$name] = $value;
    }

    public function save(): void
    {
    }
}

class WC_Order extends WC_Abstract_Order
{
}

class WC_Order_Refund extends WC_Abstract_Order
{
}

$given = json_decode((string) file_get_contents('php://stdin'), true);
define('SVC_PROGRAM_ID', $given['programId']);
define('SVC_API_KEY', $given['apiKey']);
require $argv[1] . '/svc-woocommerce.php';

ob_start();
foreach ($given['steps'] as $step) {
    $_COOKIE = isset($step['click']) ? ['svc_click_id' => $step['click']] : [];
    switch ($step['do']) {
        case 'page':
            do_action('wp_head');
            break;
        case 'signup':
            do_action('user_register', $step['user'], []);
            break;
        case 'checkout':
            $orders[$step['order']] = new WC_Order($step, $step['renewal'] ?? false);
            do_action('woocommerce_checkout_create_order', $orders[$step['order']], []);
            break;
        case 'refund':
            $orders[$step['refund']] = new WC_Order_Refund($step);
            do_action('woocommerce_order_refunded', $step['order'], $step['refund']);
            break;
        default:
            do_action($step['do'], ...$step['arguments']);
    }
}
$page = ob_get_clean();
$reported = array_map(fn (WC_Abstract_Order $order): bool => $order->get_meta('_svc_reported') !== '', $orders);
echo json_encode(['page' => $page, 'scheduled' => $scheduled, 'reported' => $reported], JSON_THROW_ON_ERROR);
