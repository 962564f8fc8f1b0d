package batch

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/scene"
	"simdeck/ui/escape"
)

// Job describes a sweep for Kubernetes: an Indexed Job, whose every pod does the run of its index.
type Job struct {
	Image       string // its entry point is simdeck
	Parallelism int    // pods at once
	// a PersistentVolumeClaim that gets the results too; empty: they are in the pods' logs alone
	Volume string
}

// Resources of a pod: a run is computed on one core, and the demo worlds take 20 to 30 MB.
const podCPU, podMemory, podMemoryMost = "1", "128Mi", "2Gi"

// mostFiles is the capacity of a ConfigMap, bytes.
const mostFiles = 1 << 20

// Names of what stands in the manifest.
const sweepFolder, resultsFolder = "/sweep", "/results"

type (
	object = map[string]any
	list   = []any
)

// WriteJob writes a manifest: a ConfigMap with the sweep's file, its scenarios and those worlds that are
// files, and the Job. Errors wrap scene.ErrUnsupportedParts where a file cannot be in a ConfigMap.
func WriteJob(out io.Writer, o *Order, j Job) error {
	name := o.label()
	files, items, err := o.files()
	if err != nil {
		return err
	}
	labels := object{"app.kubernetes.io/name": "simdeck-sweep", "app.kubernetes.io/instance": name}
	write := yaml.NewEncoder(out)
	write.SetIndent(2)
	_, err = escape.Fprintf(out, "# A sweep of %d runs. kubectl apply -f this; when the Job has ended, all results and the summary:\n"+
		"#   kubectl logs -l app.kubernetes.io/instance=%s --tail=-1 --max-log-requests=%d | simdeck sweep %s --collect -\n"+
		"# What a pod did whose run did not pass is in the Job's status.failedIndexes.\n", len(o.sweep.Runs),
		name, max(5, len(o.sweep.Runs)), filepath.Base(o.File))
	if err == nil {
		err = write.Encode(object{"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": object{"name": name, "labels": labels}, "data": files})
	}
	if err == nil {
		err = write.Encode(object{"apiVersion": "batch/v1", "kind": "Job",
			"metadata": object{"name": name, "labels": labels}, "spec": object{
				"completionMode": "Indexed", "completions": len(o.sweep.Runs),
				"parallelism": min(j.Parallelism, len(o.sweep.Runs)),
				// A run that did not pass would not pass again; a node that goes away is nobody's fault; all
				// else is tried once more.
				"backoffLimitPerIndex": 1,
				"podFailurePolicy": object{"rules": list{
					object{"action": "Ignore", "onPodConditions": list{object{"type": "DisruptionTarget",
						"status": "True"}}},
					object{"action": "FailIndex", "onExitCodes": object{"containerName": "run",
						"operator": "In",
						"values":   list{1, 2, 3}}},
				}},
				"template": object{"metadata": object{"labels": labels}, "spec": j.pod(o, name, items)},
			}})
	}
	if err == nil {
		err = write.Close()
	}
	return err
}

// pod is the pod template of one run: not as root, on a file system that it cannot write.
func (j Job) pod(o *Order, name string, items list) object {
	args := list{"sweep", path.Join(sweepFolder, filepath.Base(o.File)), "--index", "$(JOB_COMPLETION_INDEX)"}
	mounts := list{object{"name": "sweep", "mountPath": sweepFolder, "readOnly": true},
		object{"name": "scratch", "mountPath": "/tmp"}}
	volumes := list{object{"name": "sweep", "configMap": object{"name": name, "items": items}},
		object{"name": "scratch", "emptyDir": object{}}}
	if j.Volume != "" {
		args = append(args, "--out", resultsFolder)
		mounts = append(mounts, object{"name": "results", "mountPath": resultsFolder})
		volumes = append(volumes, object{"name": "results",
			"persistentVolumeClaim": object{"claimName": j.Volume}})
	}
	return object{
		"restartPolicy": "Never", "automountServiceAccountToken": false, "terminationGracePeriodSeconds": 10,
		"securityContext": object{"runAsNonRoot": true, "runAsUser": 65532, "fsGroup": 65532,
			"seccompProfile": object{"type": "RuntimeDefault"}},
		"volumes": volumes,
		"containers": list{object{
			"name": "run", "image": j.Image, "args": args, "volumeMounts": mounts,
			"env": list{object{"name": "HOME", "value": "/tmp"}},
			"resources": object{"requests": object{"cpu": podCPU, "memory": podMemory},
				"limits": object{"memory": podMemoryMost}},
			"securityContext": object{"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true,
				"capabilities": object{"drop": list{"ALL"}}},
		}},
	}
}

// label is the sweep's name as Kubernetes allows one.
func (o *Order) label() string {
	name := o.sweep.Name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(o.File), filepath.Ext(o.File))
	}
	name = strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name), "-"), "-")
	if name = strings.Trim(name[:min(len(name), 50)], "-"); name == "" {
		return "sweep"
	}
	return name
}

// files are those of a sweep by the keys of a ConfigMap, and where each is to stand beside the sweep's file.
func (o *Order) files() (files map[string]string, items list, err error) {
	files = map[string]string{}
	total := 0
	add := func(at string, text []byte) {
		total += len(text)
		switch clean := path.Clean(filepath.ToSlash(at)); {
		case err != nil:
		case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../"):
			err = fmt.Errorf("%w: %s is not in the folder of the sweep; what stands elsewhere must be in the image",
				scene.ErrUnsupportedParts, at)
		case !utf8.Valid(text):
			err = fmt.Errorf("%w: %s is no text; put it into the image and name it as /FILE",
				scene.ErrUnsupportedParts, at)
		case total > mostFiles:
			err = fmt.Errorf("%w: more than %d bytes with %s; a ConfigMap holds no more: put worlds into the image",
				scene.ErrUnsupportedParts, mostFiles, at)
		default:
			key := strconv.Itoa(len(files)) + "-" +
				regexp.MustCompile(`[^-._a-zA-Z0-9]`).ReplaceAllString(path.Base(clean), "_")
			files[key] = string(text)
			items = append(items, object{"key": key, "path": clean})
		}
	}
	add(filepath.Base(o.File), o.Text)
	for _, name := range sorted(o.Scenarios) {
		add(name, o.Scenarios[name])
	}
	for _, name := range sorted(o.Worlds) {
		if info, failed := os.Stat(o.Worlds[name]); failed == nil && info.IsDir() {
			return nil, nil, fmt.Errorf("%w: %s is a folder; put it into the image and name it as /FOLDER",
				scene.ErrUnsupportedParts, name)
		}
		if path.IsAbs(name) { // it is in the image
			continue
		}
		text, failed := readWorld(o.Worlds[name])
		if failed != nil {
			return nil, nil, failed
		}
		add(name, text)
	}
	return files, slices.Clip(items), err
}
