// Package check holds the manifests against the types of Kubernetes. It is a
// module of its own, so that simdeck does not depend on those.
package check

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

var simdeck = flag.String("simdeck", "../../simdeck", "the program")

// kinds are the resources that manifests may hold.
type kinds struct {
	service    core.Service
	deployment apps.Deployment
	config     core.ConfigMap
	job        batch.Job
}

// decode reads the documents of a manifest; a key that Kubernetes does not know is an error.
func decode(t *testing.T, text []byte) (k kinds, got string) {
	t.Helper()
	for _, doc := range bytes.Split(text, []byte("\n---\n")) {
		var head struct{ Kind, APIVersion string }
		if err := yaml.Unmarshal(doc, &head); err != nil {
			t.Fatalf("%v in\n%s", err, doc)
		}
		into := map[string]any{"v1/Service": &k.service, "apps/v1/Deployment": &k.deployment,
			"v1/ConfigMap": &k.config, "batch/v1/Job": &k.job}[head.APIVersion+"/"+head.Kind]
		if into == nil {
			t.Fatalf("%s/%s is none of what manifests hold", head.APIVersion, head.Kind)
		}
		if err := yaml.UnmarshalStrict(doc, into, yaml.DisallowUnknownFields); err != nil {
			t.Errorf("%s: %v", head.Kind, err)
		}
		got += head.Kind + " "
	}
	return k, got
}

func TestTheWorkersAreWhatKubernetesTakes(t *testing.T) {
	text, err := os.ReadFile("../kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	k, got := decode(t, text)
	if got != "Service Deployment " {
		t.Fatalf("the manifest holds %s", got)
	}
	pod := k.deployment.Spec.Template
	for label, value := range k.service.Spec.Selector {
		if pod.Labels[label] != value || k.deployment.Spec.Selector.MatchLabels[label] != value {
			t.Errorf("%s is %s for the Service and %v for pods", label, value, pod.Labels)
		}
	}
	c := pod.Spec.Containers[0]
	for name, probe := range map[string]*core.Probe{"/healthz": c.LivenessProbe,
		"/readyz": c.ReadinessProbe} {
		if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != name ||
			probe.HTTPGet.Port.StrVal != c.Ports[0].Name {
			t.Errorf("the probe of %s is %+v", name, probe)
		}
	}
	if got := fmt.Sprintf("0.0.0.0:%d", c.Ports[0].ContainerPort); got != c.Args[len(c.Args)-1] {
		t.Errorf("metrics are at %s, and the port is %s", c.Args[len(c.Args)-1], got)
	}
	if c.Resources.Requests.Cpu().MilliValue() != 100 || c.Resources.Requests.Memory().Value() != 64<<20 ||
		c.Resources.Limits.Memory().Value() != 512<<20 ||
		c.Resources.Limits.StorageEphemeral().Value() != 512<<20 ||
		pod.Spec.Volumes[0].EmptyDir.SizeLimit.Value() != 256<<20 ||
		!*c.SecurityContext.ReadOnlyRootFilesystem || !*pod.Spec.SecurityContext.RunAsNonRoot {
		t.Errorf("%+v", c)
	}
}

// TestTheManifestsOfSimulationsAreWhatKubernetesTakes reads the golden file of simdeck workers --print.
func TestTheManifestsOfSimulationsAreWhatKubernetesTakes(t *testing.T) {
	text, err := os.ReadFile("../../ui/cli/workers/testdata/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, doc := range bytes.Split(text, []byte("\n---\n")) {
		k, got := decode(t, doc)
		pod := k.job.Spec.Template.Spec
		if got != "Job " || names[k.job.Name] || len(pod.Containers) != 1 {
			t.Fatalf("%s %s: %+v", got, k.job.Name, pod)
		}
		names[k.job.Name] = true
		c := pod.Containers[0]
		if pod.RestartPolicy != core.RestartPolicyOnFailure || !*pod.SecurityContext.RunAsNonRoot ||
			!*c.SecurityContext.ReadOnlyRootFilesystem || c.Resources.Limits.Memory().Value() != 512<<20 ||
			c.Args[0] != "run" || c.Args[1] != "--worker" {
			t.Errorf("%s: %+v", k.job.Name, c)
		}
	}
	if len(names) != 2 {
		t.Errorf("%d Jobs for two simulations", len(names))
	}
}

func TestAPodOfTheWorkersIsHealthyBecomesReadyAndEndsWhenItIsTold(t *testing.T) {
	text, err := os.ReadFile("../kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	k, _ := decode(t, text)
	pod := k.deployment.Spec.Template.Spec
	self, err := filepath.Abs(*simdeck)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, pod.Containers[0].Args...)
	var said bytes.Buffer
	c.Stderr, c.Env, c.Dir = &said, append(os.Environ(), "HOME="+t.TempDir()), t.TempDir()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for _, probe := range []*core.Probe{pod.Containers[0].StartupProbe, pod.Containers[0].LivenessProbe,
		pod.Containers[0].ReadinessProbe} {
		url, got := fmt.Sprintf("http://127.0.0.1:%d%s", pod.Containers[0].Ports[0].ContainerPort,
			probe.HTTPGet.Path), "no answer"
		for end := time.Now().Add(60 * time.Second); got != "200 OK"; time.Sleep(50 * time.Millisecond) {
			if r, err := http.Get(url); err == nil {
				got = r.Status
				r.Body.Close()
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %s\n%s", url, got, said.String())
			}
		}
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("on SIGTERM it ends with %v\n%s", err, said.String())
		}
	case <-time.After(time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second):
		_ = c.Process.Kill()
		t.Error("it does not end within the grace period")
	}
}

const slope = `<sdf version="1.9"><world name="slope">
  <model name="ramp"><static>true</static><pose>0 0 0 0 0.3 0</pose>
    <link name="l"><collision name="c"><geometry><box><size>40 10 0.2</size></box></geometry></collision></link></model>
  <model name="crate"><pose>0 0 0.37 0 0.3 0</pose>
    <link name="l"><inertial><mass>2</mass></inertial><collision name="c"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>
</world></sdf>`

const text = `name: Sliding crates
duration: 1s
report: crate
matrix:
  world: [worlds/slope.sdf, empty]
  scenario: [plays/wait.yaml, none]
  seed: 1..3
  exclude: [{world: empty}]
jitter.crate: [0.2, 0.2, 0, 0.1]
friction.crate: 0.1
`

// sweep writes a sweep into a folder and gives its file.
func sweep(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"sweep.yaml": text, "worlds/slope.sdf": slope,
		"plays/wait.yaml": "vars: {pause: 0.3}\nphases: [{name: wait, when: {time: \"${pause}\"}}]\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "sweep.yaml")
}

// command runs simdeck and gives what it wrote to stdout and how it exited.
func command(t *testing.T, args ...string) (string, int) {
	t.Helper()
	self, err := filepath.Abs(*simdeck)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	if err := c.Run(); c.ProcessState == nil {
		t.Fatal(err)
	}
	t.Logf("%v: %s", args, said.String())
	return out.String(), c.ProcessState.ExitCode()
}

// mounted lays a ConfigMap out as the kubelet does: files are links into a folder that is exchanged as a
// whole.
func mounted(t *testing.T, k *kinds) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink("..2026_11_22", filepath.Join(dir, "..data")); err != nil {
		t.Fatal(err)
	}
	for _, item := range k.job.Spec.Template.Spec.Volumes[0].ConfigMap.Items {
		text, ok := k.config.Data[item.Key]
		if !ok {
			t.Fatalf("the ConfigMap has no %s", item.Key)
		}
		name := filepath.Join(dir, "..2026_11_22", item.Path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(item.Path, "/")
		if err := os.Symlink(filepath.Join("..data", first), filepath.Join(dir, first)); err != nil &&
			!os.IsExist(err) {
			t.Fatal(err)
		}
	}
	return dir
}

func TestThePodsOfASweepComeToWhatItComesToHere(t *testing.T) {
	file := sweep(t)
	manifest, code := command(t, "sweep", file, "--kubernetes", "--image", "registry.example/simdeck:1",
		"--volume", "results")
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	k, got := decode(t, []byte(manifest))
	job := k.job.Spec
	if got != "ConfigMap Job " || *job.CompletionMode != batch.IndexedCompletion || *job.Completions != 6 ||
		*job.Parallelism != 6 || *job.BackoffLimitPerIndex != 1 || len(job.PodFailurePolicy.Rules) != 2 {
		t.Fatalf("the manifest holds %s, %+v", got, job)
	}
	pod := job.Template.Spec.Containers[0]
	if pod.Image != "registry.example/simdeck:1" || k.job.Name != "sliding-crates" ||
		k.config.Name != k.job.Name || pod.Resources.Requests.Cpu().Value() != 1 {
		t.Errorf("%+v", pod)
	}
	if out, code := command(t, "sweep", file, "--workers", "2"); code != 0 ||
		!strings.HasSuffix(out, "6 of 6 passed\n") {
		t.Fatalf("the local sweep exits with %d:\n%s", code, out)
	}
	local, err := os.ReadFile(filepath.Join(filepath.Dir(file), "sweep.results", "results.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(string(local), "\n")
	config, results := mounted(t, &k), t.TempDir()
	logs := filepath.Join(t.TempDir(), "pods.log")
	var said string
	for _, index := range []string{"0", "3", "5"} {
		var args []string
		for _, a := range pod.Args {
			a = strings.ReplaceAll(a, "$(JOB_COMPLETION_INDEX)", index)
			a = strings.Replace(a, "/results", results, 1)
			args = append(args, strings.Replace(a, "/sweep/", config+"/", 1))
		}
		out, code := command(t, args...)
		if code != 0 {
			t.Errorf("the pod of index %s exits with %d", index, code)
		}
		said += "a line of stderr\n" + out
		if kept, err := os.ReadFile(filepath.Join(results, "run-"+index+".jsonl")); err != nil ||
			string(kept) != out {
			t.Errorf("the volume has %q, %v, and the log %q", kept, err, out)
		}
	}
	if err := os.WriteFile(logs, []byte(said), 0o644); err != nil {
		t.Fatal(err)
	}
	together := t.TempDir()
	if out, code := command(t, "sweep", file, "--out", together, "--collect", logs); code != 1 ||
		!strings.HasSuffix(out, "3 of 3 passed; 3 not done\n") {
		t.Errorf("collecting exits with %d:\n%s", code, out)
	}
	table, err := os.ReadFile(filepath.Join(together, "results.csv"))
	if want := strings.Join([]string{rows[0], rows[1], rows[4], rows[6], ""}, "\n"); err != nil ||
		string(table) != want {
		t.Errorf("%v: the pods came to\n%s\nand here it is\n%s", err, table, want)
	}
}
